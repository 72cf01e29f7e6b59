package desk

import (
	"testing"

	"akx/view/fault"
	"akx/view/identity"
)

// However often one looks, one cause stays one (8.3).
func TestContradictionsAreToldByTheirCause_8_3(t *testing.T) {
	back := ServiceFault{Kind: CheckpointBack, Before: 75, Now: 60}
	refused := ServiceFault{Kind: AfterRefused, Before: 75, Now: 61}
	moved := ServiceFault{Kind: SeqBack, ID: identity.ID{1}, Before: 70, Now: 3}
	shared := ServiceFault{Kind: SeqShared, ID: identity.ID{2}, Now: 3}
	again := ServiceFault{Kind: CheckpointBack, Before: 90, Now: 2}
	own := ServiceFault{Kind: AfterRefused, Before: 12, Now: 12}
	for name, test := range map[string]struct {
		faults []ServiceFault
		want   []Contradiction
	}{
		"none":                  {},
		"a reset":               {[]ServiceFault{moved, back, shared, refused}, []Contradiction{{refused, 3}}},
		"other numbers alone":   {[]ServiceFault{moved, shared}, []Contradiction{{shared, 1}}},
		"two resets":            {[]ServiceFault{back, again, moved}, []Contradiction{{back, 1}, {again, 0}}},
		"a refusal of its own":  {[]ServiceFault{own, own}, []Contradiction{{own, 1}}},
		"a refusal and numbers": {[]ServiceFault{own, moved}, []Contradiction{{own, 0}, {moved, 0}}},
	} {
		got := Follow{Faults: test.faults}.Contradictions()
		if len(got) != len(test.want) {
			t.Errorf("%s: %+v", name, got)
			continue
		}
		for i := range got {
			if got[i] != test.want[i] {
				t.Errorf("%s: %+v, want %+v", name, got[i], test.want[i])
			}
		}
	}
	stuck := Follow{Reached: 75, Faults: []ServiceFault{back}, Trouble: Trouble{Code: fault.InvalidRequest}}
	if !stuck.Stuck() || (Follow{Reached: 75, Faults: []ServiceFault{moved}, Trouble: stuck.Trouble}).Stuck() || (Follow{Reached: 95, Faults: []ServiceFault{back}}).Stuck() {
		t.Error("which services cannot be followed on")
	}
}
