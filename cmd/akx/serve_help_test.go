package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"akx/client"
	"akx/client/fetch"
	"akx/cmd/akx/eventtest"
	"akx/view/identity"
)

const hubOrigin identity.Origin = "https://hub.example"

// certify writes a certificate for hub.example and the loopback address, and its key,
// into dir.
func certify(t testing.TB, dir string) (cert, key string, authority []byte) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "akx test"}, DNSNames: []string{"hub.example"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, secret.Public(), secret)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	authority = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, text := range map[string][]byte{cert: authority, key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8})} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key, authority
}

// served is akx serve in a process of its own.
type served struct {
	t         testing.TB
	cmd       *exec.Cmd
	stdout    bytes.Buffer
	address   string
	authority []byte

	mu    sync.Mutex
	lines []string
	more  chan struct{} // closed when a line came
	ended chan struct{} // the error stream ended
}

// serviceHome makes a home for hub.example and imports events into it.
func serviceHome(t testing.TB, events []byte) (dir, home string) {
	t.Helper()
	dir = t.TempDir()
	home = filepath.Join(dir, "hub")
	runAkx(t, dir, nil, "serve", "init", "--home", home, "--origin", string(hubOrigin))
	if events != nil {
		runAkx(t, dir, events, "import", "--home", home, "-")
	}
	return dir, home
}

// runAkx runs akx to its end, which must be a good one.
func runAkx(t testing.TB, dir string, stdin []byte, args ...string) string {
	t.Helper()
	cmd := akxCommand(t, dir, args...)
	cmd.Stdin = bytes.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("akx %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func akxCommand(t testing.TB, dir string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath("akx")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Env = []string{"HOME=" + dir, "PATH=" + os.Getenv("PATH")}
	cmd.Dir = dir
	return cmd
}

// serveHome starts the service of a home and waits until it listens.
func serveHome(t testing.TB, dir, home string, args ...string) *served {
	t.Helper()
	cert, key, authority := certify(t, dir)
	s := &served{t: t, authority: authority, more: make(chan struct{}), ended: make(chan struct{})}
	args = append([]string{"--json", "serve", "--home", home, "--listen", "127.0.0.1:0", "--tls-cert", cert, "--tls-key", key}, args...)
	s.cmd = akxCommand(t, dir, args...)
	s.cmd.Stdout = &s.stdout
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	go s.read(stderr)
	var begun struct {
		Log struct {
			Address string `json:"listen_address"`
		} `json:"log"`
	}
	if err := json.Unmarshal([]byte(s.until(`"message":"serving"`)), &begun); err != nil {
		t.Fatal(err)
	}
	s.address = begun.Log.Address
	return s
}

func (s *served) read(stderr io.Reader) {
	lines := bufio.NewScanner(stderr)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		s.mu.Lock()
		s.lines = append(s.lines, lines.Text())
		close(s.more)
		s.more = make(chan struct{})
		s.mu.Unlock()
	}
	close(s.ended)
}

// until waits for a line of the log with text in it.
func (s *served) until(text string) string {
	s.t.Helper()
	deadline := time.After(time.Minute)
	for {
		s.mu.Lock()
		more := s.more
		at := slices.IndexFunc(s.lines, func(l string) bool { return strings.Contains(l, text) })
		line := ""
		if at >= 0 {
			line = s.lines[at]
		}
		s.mu.Unlock()
		if at >= 0 {
			return line
		}
		select {
		case <-more:
		case <-s.ended:
			s.t.Fatalf("no %s in\n%s", text, s.log())
		case <-deadline:
			s.t.Fatalf("no %s in time in\n%s", text, s.log())
		}
	}
}

func (s *served) log() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.lines, "\n") + "\n"
}

// stop sends SIGTERM and waits for a good end; the streams must be strict events.
func (s *served) stop() (stdout string) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	return s.wait()
}

func (s *served) wait() (stdout string) {
	s.t.Helper()
	<-s.ended
	if err := s.cmd.Wait(); err != nil {
		s.t.Errorf("end: %v\n%s", err, s.log())
	}
	stdout = s.stdout.String()
	if err := eventtest.Stream(append(lines(s.log()), lines(stdout)...), true); err != nil {
		s.t.Errorf("%v in\n%s%s", err, s.log(), stdout)
	}
	return stdout
}

// hubAddress is where hub.example seems to be: a public address, which the tests
// lead to the loopback interface.
var hubAddress = netip.MustParseAddr("93.184.215.14")

type hubNames struct{}

func (hubNames) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{hubAddress}, nil
}

// client speaks to the service as akx does.
func (s *served) client() *client.Client {
	s.t.Helper()
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, s.address)
	}
	transport, err := fetch.New(hubOrigin, fetch.Options{Version: "1", CA: s.authority, Resolver: hubNames{}, Dial: dial})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(transport.Close)
	return client.New(hubOrigin, transport, client.Limits{})
}

func (s *served) tls() *tls.Config {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(s.authority)
	return &tls.Config{RootCAs: roots, ServerName: "hub.example"}
}

// plain is an ordinary HTTP client for the service, for up to n connections.
func (s *served) plain(n int) *http.Client {
	t := &http.Transport{TLSClientConfig: s.tls(), MaxIdleConnsPerHost: n, MaxConnsPerHost: n,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, s.address)
		}}
	s.t.Cleanup(t.CloseIdleConnections)
	return &http.Client{Transport: t}
}
