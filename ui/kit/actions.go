package kit

// Actions is the one table of what keys do.
func Actions() []Action { return actions }

// Groups of the help.
const (
	groupMove   = "Move"
	groupGo     = "Go to"
	groupList   = "In lists"
	groupPage   = "On a page"
	groupNet    = "Services"
	groupText   = "While typing"
	groupWrite  = "Write"
	groupAlways = "Everywhere"
)

var actions = []Action{
	{"down", []string{"j", "down"}, "down", "one row down", groupMove},
	{"up", []string{"k", "up"}, "up", "one row up", groupMove},
	{"half-down", []string{"ctrl+d", "pgdown"}, "half down", "half a screen down", groupMove},
	{"half-up", []string{"ctrl+u", "pgup"}, "half up", "half a screen up", groupMove},
	{"top", []string{"g g", "home"}, "top", "to the first row", groupMove},
	{"bottom", []string{"G", "end"}, "bottom", "to the last row", groupMove},
	{"left", []string{"h", "shift+left", "left"}, "left", "sideways to the left, or to the pane on the left", groupMove},
	{"right", []string{"l", "shift+right", "right"}, "right", "sideways to the right, or to the pane on the right", groupMove},
	{"next-pane", []string{"tab"}, "pane", "to the next pane", groupMove},
	{"previous-pane", []string{"shift+tab"}, "pane back", "to the pane before", groupMove},
	{"main-pane", []string{"0"}, "main pane", "to the main pane", groupMove},

	{"open", []string{"enter"}, "open", "open what is under the cursor", groupGo},
	{"follow", []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, "follow", "follow the outgoing relation with that number", groupGo},
	{"reverse-links", []string{"r"}, "reverse links", "what points at this event, by relation and verdict", groupGo},
	{"versions", []string{"v"}, "versions", "the tree of supersedes around this capsule; no winner", groupGo},
	{"assessments", []string{"a"}, "assessments", "assessments of exactly this capsule", groupGo},
	{"raw", []string{"i"}, "raw", "the exact envelope text and the canonical event", groupGo},
	{"target", []string{"T"}, "target", "the event that this assessment or retraction is about", groupGo},
	{"browse", []string{"B"}, "browse", "the list of everything held", groupGo},
	{"pending", []string{"W"}, "waiting", "proven events that wait for what they refer to", groupGo},
	{"services", []string{"s"}, "services", "the services that are known: state, follow, add, remove", groupGo},
	{"search-service", []string{"Q"}, "search service", "ask a service for ranked hits; the text goes to it [network]", groupGo},
	{"back", []string{"[", "alt+left", "ctrl+o", "backspace"}, "back", "one step back, to the same place in it", groupGo},
	{"forward", []string{"]", "alt+right"}, "forward", "one step forward again", groupGo},
	{"last", []string{"-"}, "last", "to the place before this one, and back again", groupGo},
	{"history", []string{"H"}, "history", "the list of visited places", groupGo},

	{"filter", []string{"/"}, "filter", "show rows whose text has all the typed terms, as you type", groupList},
	{"find", []string{"/"}, "find", "find a text in what is shown", groupPage},
	{"next-match", []string{"n"}, "next match", "to the next match in the text", groupPage},
	{"previous-match", []string{"N"}, "previous match", "to the match before", groupPage},
	{"facets", []string{"f"}, "facets", "narrow the list by kind, type, tag, language, actor, verdict, time", groupList},
	{"seen-by", []string{"V"}, "seen by", "read everything held, or what one followed service showed, from the cache", groupList},
	{"sort", []string{","}, "sort", "change the order: newest, created, title", groupList},
	{"type", []string{"t"}, "type", "list capsules, assessments, retractions, or all", groupList},
	{"clear", []string{"x"}, "clear", "drop every filter", groupList},
	{"preview", []string{"p"}, "preview", "show or hide the preview; below 100 columns it fills the screen", groupList},
	{"fold", []string{"z"}, "fold", "fold or unfold the group under the cursor", groupList},
	{"regroup", []string{"O"}, "group", "group by relation or by actor", groupList},
	{"drop", []string{"x"}, "drop", "forget the waiting event under the cursor", groupList},

	{"copy", []string{"y"}, "copy", "copy the ID, a link, the text or the JSON", groupPage},
	{"open-url", []string{"o"}, "open URL", "show a URL of this page in full, and open it if you say so [network]", groupPage},
	{"refresh", []string{"R"}, "refresh", "read again what this shows; cursor and scroll stay", groupPage},
	{"canonical", []string{"C"}, "canonical", "switch between exact text and canonical event", groupPage},

	{"recheck", []string{"L"}, "recheck", "ask every enabled service what it shows of this event now [network]", groupNet},
	{"fetch-missing", []string{"L"}, "fetch", "ask every enabled service for what the waiting events miss [network]", groupNet},
	{"check-service", []string{"L"}, "check", "read the service's own description of itself, nothing else [network]", groupNet},
	{"sync", []string{"f"}, "follow", "take everything new from this service; reading goes on meanwhile [network]", groupNet},
	{"sync-all", []string{"F"}, "follow all", "take everything new from every enabled service [network]", groupNet},
	{"stop-sync", []string{"."}, "stop", "stop taking from this service; what came stays", groupNet},
	{"add-service", []string{"+"}, "add", "add a service by its origin; nothing is asked of it yet", groupNet},
	{"remove-service", []string{"x"}, "remove", "forget this service; the events that it gave stay", groupNet},
	{"refollow-service", []string{"a"}, "refollow", "forget how far this service was followed and that it contradicted itself; its settings and the events stay", groupNet},
	{"edit-service", []string{"E"}, "change", "change this service's name, CA file, or whether private addresses are allowed", groupNet},
	{"enable-service", []string{"e"}, "enable", "allow or forbid every question to this service", groupNet},
	{"ask-when", []string{"w"}, "ask when", "when a service that is not followed is asked about a page: on a key, on open, never", groupNet},

	{"new-capsule", []string{"c"}, "new", "begin a capsule: of a kind, or as an extension, answer or restatement of this page", groupWrite},
	{"assess", []string{"A"}, "assess", "begin an assessment of exactly this capsule", groupWrite},
	{"correct", []string{"S"}, "correct", "begin a capsule that supersedes one or several of your own", groupWrite},
	{"retract", []string{"X"}, "retract", "begin a retraction of this event, if it is your own", groupWrite},
	{"name-actor", []string{"="}, "name", "give whoever signed this a name of your own, or forget it; nobody else sees it", groupWrite},
	{"drafts", []string{"d"}, "drafts", "your drafts, their trash, and your outbox", groupWrite},
	{"discard", []string{"x"}, "discard", "put the draft into the trash; out of the trash or the outbox: forget it", groupWrite},
	{"restore", []string{"u"}, "restore", "take the draft out of the trash", groupWrite},
	{"trash", []string{"t"}, "trash", "show discarded drafts, or those that are not", groupWrite},
	{"send", []string{">"}, "send", "send this event to where it is queued, the same bytes each time [network]", groupWrite},
	{"add-destination", []string{"+"}, "add service", "queue this event for another service; nothing is sent", groupWrite},

	{"help", []string{"?", "f1"}, "help", "this list; type to filter, @ filters by key", groupAlways},
	{"palette", []string{"ctrl+p", "f2"}, "palette", "every action that works here, by name", groupAlways},
	{"command", []string{":"}, "command", "type a command, such as :open ID, :kind hypothesis, :search text", groupAlways},
	{"mouse", []string{"%"}, "mouse", "release the mouse to the terminal, or take it", groupAlways},
	{"close", []string{"esc"}, "close", "close the top layer, or clear the filter", groupAlways},
	{"quit", []string{"q", "ctrl+c"}, "quit", "leave akx; on your own cache the place is kept for the next start", groupAlways},

	{"accept", []string{"enter"}, "accept", "take what is typed", groupText},
	{"cancel", []string{"esc"}, "cancel", "leave the field", groupText},
	{"next-choice", []string{"down", "ctrl+n"}, "next", "to the next choice", groupText},
	{"previous-choice", []string{"up", "ctrl+p"}, "previous", "to the choice before", groupText},
	{"form-help", []string{"f1"}, "help", "every key that works while you type here, and what the words on the screen mean", groupText},
	{"next-field", []string{"tab"}, "next", "to the next field", groupText},
	{"previous-field", []string{"shift+tab"}, "before", "to the field before", groupText},
	{"draft-menu", []string{"f2", "f10"}, "menu", "everything that can be done with this draft", groupText},
	{"sign", []string{"ctrl+x"}, "sign...", "what is still wrong, then the last step before the signature; nothing is signed by this key alone", groupText},
	{"preview-draft", []string{"alt+p", "f3"}, "preview", "what a reader will see, or back to the form", groupText},
	{"event-draft", []string{"alt+i", "f5"}, "event", "the exact event that would be signed, and its size", groupText},
	{"editor", []string{"alt+e", "f4"}, "$EDITOR", "write the whole draft in your editor, as YAML", groupText},
	{"undo", []string{"ctrl+_", "f6"}, "undo", "take back the last change of this field, of its list, or of the whole draft", groupText},
	{"redo", []string{"alt+_", "f7"}, "redo", "take the last undo back", groupText},
	{"add-item", []string{"alt+a"}, "add", "add an item below this one", groupText},
	{"remove-item", []string{"alt+d"}, "remove", "take this item out of its list", groupText},
	{"item-up", []string{"alt+up"}, "item up", "move this item up in its list", groupText},
	{"item-down", []string{"alt+down"}, "item down", "move this item down in its list", groupText},
	{"confirm-step", []string{"alt+y"}, "done", "say that you did this copied step", groupText},
	{"copy-steps", []string{"alt+c"}, "copy steps", "copy the target's steps, each to be confirmed as done", groupText},
	{"retarget", []string{"alt+t"}, "retarget", "choose the target: the event itself or one of its corrections", groupText},
	{"choose-key", []string{"alt+k"}, "key", "choose the key that signs this draft, or make one", groupText},
	{"scroll-down", []string{"shift+down", "alt+pgdown"}, "preview down", "scroll the preview down", groupText},
	{"scroll-up", []string{"shift+up", "alt+pgup"}, "preview up", "scroll the preview up", groupText},

	{"toggle", []string{" ", "enter"}, "choose", "choose or drop what is under the cursor", groupList},
}
