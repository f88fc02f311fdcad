package main

import (
	"slices"
	"testing"
)

func TestOnlyTheLastStageCounts(t *testing.T) {
	config, err := lastStage("FROM a AS built\nENV X=1\nUSER 0\n# comment\nFROM b\nENV Y=2\nUSER 10001:10001\nENTRYPOINT [\"java\", \\\n    \"-jar\"]\n")
	if err != nil {
		t.Fatal(err)
	}
	if config.User != "10001:10001" || !slices.Equal(config.Entrypoint, []string{"java", "-jar"}) || !slices.Equal(config.Env[1:], []string{"Y=2"}) {
		t.Fatalf("got %+v", config)
	}
}

func TestUnknownFormsAreRefused(t *testing.T) {
	for _, text := range []string{"FROM a\nENV X 1\n", "FROM a\nENTRYPOINT java\n", "FROM a\nVOLUME /x\n"} {
		if _, err := lastStage(text); err == nil {
			t.Errorf("expected an error for %q", text)
		}
	}
}
