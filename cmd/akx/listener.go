package main

import (
	"net"
	"sync"

	"akx/client/service"
)

// bounded is a listener with at most so many connections at a time, and so many of
// one client: those over the first bound wait in the system's queue, those over the
// second are closed.
type bounded struct {
	net.Listener
	slots chan struct{}
	each  int

	closed    chan struct{}
	closeOnce sync.Once

	mu      sync.Mutex
	clients map[string]int
}

func newBounded(l net.Listener, all, each int) *bounded {
	return &bounded{Listener: l, slots: make(chan struct{}, all), each: each,
		closed: make(chan struct{}), clients: make(map[string]int)}
}

// Accept gives the next connection that is within the bounds.
func (b *bounded) Accept() (net.Conn, error) {
	for {
		select {
		case b.slots <- struct{}{}:
		case <-b.closed:
			return nil, net.ErrClosed
		}
		conn, err := b.Listener.Accept()
		if err != nil {
			<-b.slots
			return nil, err
		}
		client := service.ClientOf(conn.RemoteAddr().String())
		if b.enter(client) {
			return &leaving{Conn: conn, leave: sync.OnceFunc(func() { b.exit(client) })}, nil
		}
		conn.Close()
		<-b.slots
	}
}

// Close ends the listening and frees an Accept that waits for room.
func (b *bounded) Close() error {
	b.closeOnce.Do(func() { close(b.closed) })
	return b.Listener.Close()
}

func (b *bounded) enter(client string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.clients[client] >= b.each {
		return false
	}
	b.clients[client]++
	return true
}

func (b *bounded) exit(client string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.clients[client]--; b.clients[client] == 0 {
		delete(b.clients, client)
	}
	<-b.slots
}

// leaving is a connection that gives its place back when it is closed.
type leaving struct {
	net.Conn
	leave func()
}

// Close closes the connection.
func (l *leaving) Close() error {
	defer l.leave()
	return l.Conn.Close()
}
