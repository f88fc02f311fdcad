package dev.outpost.runtime.server.job;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A run as the control plane orders it.
 *
 * @param program the SHA-256 of the jar, in hex
 * @param environment variables of the process, secrets among them
 * @param contact how long the run may go on without an answer of the control plane; without limit where no run may follow it
 * @param host and {@code port}: where the machine serves
 * @param certificate the SHA-256 of the machine's certificate, in hex
 */
record RunOrder(
        String job,
        int number,
        String gpu,
        String program,
        String programName,
        long programSize,
        List<String> arguments,
        Map<String, String> environment,
        Duration timeout,
        Optional<Duration> contact,
        String host,
        int port,
        String certificate) {

    static RunOrder of(JsonNode json) {
        List<String> arguments = new ArrayList<>();
        json.path("arguments").forEach(one -> arguments.add(one.asText()));
        Map<String, String> environment = new LinkedHashMap<>();
        json.path("environment")
                .properties()
                .forEach(one -> environment.put(one.getKey(), one.getValue().asText()));
        return new RunOrder(
                json.path("job").asText(),
                json.path("number").asInt(),
                json.path("gpu").asText(),
                json.path("program").asText(),
                json.path("programName").asText(),
                json.path("programSize").asLong(),
                arguments,
                environment,
                Duration.ofMillis(json.path("timeoutMillis").asLong()),
                json.hasNonNull("contactMillis")
                        ? Optional.of(
                                Duration.ofMillis(json.path("contactMillis").asLong()))
                        : Optional.empty(),
                json.path("host").asText(),
                json.path("port").asInt(),
                json.path("certificate").asText());
    }

    @Override
    public String toString() {
        return "RunOrder[" + job + ", run " + number + "]";
    }
}
