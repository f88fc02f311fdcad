package main

import (
	"encoding/json"
	"fmt"
	"strings"

	v1 "github.com/opencontainers/image-spec/specs-go/v1"
)

// The configuration that the last stage of a Containerfile gives the image. It knows the forms that the files of deploy/ use, and
// refuses others.
func lastStage(text string) (v1.ImageConfig, error) {
	config := v1.ImageConfig{Env: []string{"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}}
	for _, instruction := range instructions(text) {
		name, rest, _ := strings.Cut(instruction, " ")
		rest = strings.TrimSpace(rest)
		switch name {
		case "FROM":
			config = v1.ImageConfig{Env: config.Env[:1]}
		case "USER":
			config.User = rest
		case "ENV":
			if strings.Count(rest, "=") != 1 || strings.Contains(rest, `"`) {
				return config, fmt.Errorf("ENV: expected NAME=VALUE, got %s", rest)
			}
			config.Env = append(config.Env, rest)
		case "ENTRYPOINT":
			if err := json.Unmarshal([]byte(rest), &config.Entrypoint); err != nil {
				return config, fmt.Errorf("ENTRYPOINT: expected a list of texts, got %s", rest)
			}
		case "ARG", "RUN", "COPY", "WORKDIR", "LABEL", "EXPOSE":
			// They make files, which are there already, or describe the image.
		default:
			return config, fmt.Errorf("the instruction %s is not known", name)
		}
	}
	return config, nil
}

// The instructions without comments, with continued lines joined.
func instructions(text string) []string {
	var found []string
	continued := false
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		part, more := strings.CutSuffix(line, `\`)
		if continued {
			found[len(found)-1] += " " + strings.TrimSpace(part)
		} else {
			found = append(found, strings.TrimSpace(part))
		}
		continued = more
	}
	return found
}
