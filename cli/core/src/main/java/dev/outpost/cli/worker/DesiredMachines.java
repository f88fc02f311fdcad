package dev.outpost.cli.worker;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.JobRun;
import dev.outpost.provider.fleet.MachineBounds;
import dev.outpost.provider.fleet.MachineRef;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * What is to be done on this host, as of a version. A machine that is not listed goes on: each end is an order.
 *
 * @param takesLabels whether the backend knows the fields of reports for labels; an older one refuses them
 */
record DesiredMachines(long version, List<Order> machines, boolean takesLabels) {
    static final DesiredMachines NONE = new DesiredMachines(-1, List.of(), false);

    /** A machine that shall be there, or shall end. */
    record Order(MachineRef machine, JsonNode json) {
        long version() {
            return json.path("version").asLong();
        }

        boolean isEnding() {
            return json.path("ending").asBoolean();
        }

        /** Whether this host had it once: it is not made again then. */
        boolean isStarted() {
            return json.path("started").asBoolean();
        }

        /**
         * @param backend where a runner beside it asks
         * @param authority the authority that has issued the backend's certificate, in PEM
         * @throws IllegalArgumentException where this program does not know the kind of GPU
         */
        DesiredMachine desired(GpuCatalogue catalogue, URI backend, Optional<String> authority) {
            Map<String, String> labels = new LinkedHashMap<>();
            json.path("labels")
                    .properties()
                    .forEach(
                            label -> labels.put(label.getKey(), label.getValue().asText()));
            return new DesiredMachine(
                    machine,
                    catalogue.find(json.path("gpu").asText()),
                    json.path("gpus").asInt(1),
                    bounds(),
                    grants(),
                    labels,
                    Map.of(),
                    Optional.ofNullable(json.path("runnerToken").textValue())
                            .map(token -> new JobRun(backend, token, authority)));
        }

        private MachineBounds bounds() {
            return new MachineBounds(
                    json.hasNonNull("memoryBytes")
                            ? OptionalLong.of(json.path("memoryBytes").asLong())
                            : OptionalLong.empty(),
                    millis("leaseMillis"),
                    millis("idleMillis"),
                    millis("lifeMillis"));
        }

        private Optional<Duration> millis(String field) {
            return json.hasNonNull(field)
                    ? Optional.of(Duration.ofMillis(json.path(field).asLong()))
                    : Optional.empty();
        }

        List<Grant> grants() {
            return texts("grants").map(Grant::parse).toList();
        }

        List<String> revoked() {
            return texts("revoked").toList();
        }

        private Stream<String> texts(String field) {
            return StreamSupport.stream(json.path(field).spliterator(), false).map(JsonNode::asText);
        }
    }

    /** Empty if the answer is not a whole list of orders, as that of a proxy may be: then nothing is to be done. */
    static Optional<DesiredMachines> of(JsonNode json) {
        if (!json.path("version").isIntegralNumber() || !json.path("machines").isArray()) {
            return Optional.empty();
        }
        List<Order> machines = new ArrayList<>();
        for (JsonNode machine : json.path("machines")) {
            if (!isWhole(machine)) {
                return Optional.empty();
            }
            machines.add(new Order(
                    new MachineRef(
                            machine.path("id").asText(), machine.path("epoch").asInt()),
                    machine));
        }
        boolean takesLabels = false;
        for (JsonNode field : json.path("takes")) {
            takesLabels |= field.asText().equals("labels");
        }
        return Optional.of(new DesiredMachines(json.path("version").asLong(), List.copyOf(machines), takesLabels));
    }

    private static boolean isWhole(JsonNode machine) {
        return !machine.path("id").asText().isBlank()
                && machine.path("epoch").isIntegralNumber()
                && machine.path("version").isIntegralNumber()
                && machine.path("ending").isBoolean();
    }

    boolean has(MachineRef machine) {
        return machines.stream().anyMatch(order -> order.machine().equals(machine));
    }
}
