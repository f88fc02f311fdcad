package dev.outpost.provider.process.state;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * The description of a machine; never changed after its creation.
 *
 * @param name the name of its folder
 * @param keeper the party that decides on its end
 * @param gpu the GPU that was requested
 * @param device the UUID of its GPU on this host; empty if it computes on the CPU
 * @param owner the user who requested it, such as {@code ada@laptop}
 * @param created the time of its request, truncated to milliseconds
 * @param ends the latest time of its end
 * @param labels the labels of the caller
 */
public record MachineRecord(
        String name,
        Keeper keeper,
        String gpu,
        Optional<String> device,
        String owner,
        Instant created,
        Optional<Instant> ends,
        Map<String, String> labels) {
    private static final String LABEL = "label.";

    /** The party that decides on the end of a machine. */
    public sealed interface Keeper {
        /** The client that holds its lease. */
        record Client() implements Keeper {}

        /** No party; the machine ends after a stated time. */
        record Time() implements Keeper {}

        /**
         * A control plane.
         *
         * @param id the id of the machine
         * @param epoch the epoch of the machine
         */
        record Fleet(String installation, String id, int epoch) implements Keeper {}
    }

    public MachineRecord {
        Objects.requireNonNull(keeper, "keeper");
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(created, "created");
        Objects.requireNonNull(ends, "ends");
        labels = Map.copyOf(labels);
    }

    String write() {
        Properties properties = new Properties();
        properties.setProperty("name", name);
        properties.setProperty("gpu", gpu);
        properties.setProperty("owner", owner);
        properties.setProperty("created", created.toString());
        device.ifPresent(uuid -> properties.setProperty("device", uuid));
        ends.ifPresent(end -> properties.setProperty("ends", end.toString()));
        labels.forEach((key, value) -> properties.setProperty(LABEL + key, value));
        write(keeper, properties);
        StringWriter text = new StringWriter();
        try {
            properties.store(text, null);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return text.toString();
    }

    private static void write(Keeper keeper, Properties properties) {
        switch (keeper) {
            case Keeper.Client client -> properties.setProperty("keeper", "client");
            case Keeper.Time time -> properties.setProperty("keeper", "time");
            case Keeper.Fleet fleet -> {
                properties.setProperty("keeper", "fleet");
                properties.setProperty("installation", fleet.installation());
                properties.setProperty("id", fleet.id());
                properties.setProperty("epoch", Integer.toString(fleet.epoch()));
            }
        }
    }

    /** @throws IllegalArgumentException if the text is not a record; the message does not name the file */
    static MachineRecord read(String text) {
        Properties properties = new Properties();
        try {
            properties.load(new StringReader(text));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return new MachineRecord(
                required(properties, "name"),
                keeper(properties),
                required(properties, "gpu"),
                Optional.ofNullable(properties.getProperty("device")),
                required(properties, "owner"),
                Instant.parse(required(properties, "created")),
                Optional.ofNullable(properties.getProperty("ends")).map(Instant::parse),
                labels(properties));
    }

    private static Keeper keeper(Properties properties) {
        String word = required(properties, "keeper");
        return switch (word) {
            case "client" -> new Keeper.Client();
            case "time" -> new Keeper.Time();
            case "fleet" ->
                new Keeper.Fleet(
                        required(properties, "installation"),
                        required(properties, "id"),
                        Integer.parseInt(required(properties, "epoch")));
            default -> throw new IllegalArgumentException("keeper: expected client, time or fleet, got " + word);
        };
    }

    private static Map<String, String> labels(Properties properties) {
        return properties.stringPropertyNames().stream()
                .filter(name -> name.startsWith(LABEL))
                .collect(Collectors.toMap(name -> name.substring(LABEL.length()), properties::getProperty));
    }

    private static String required(Properties properties, String name) {
        String value = properties.getProperty(name);
        if (value == null) {
            throw new IllegalArgumentException(name + ": the record of the machine does not have it");
        }
        return value;
    }
}
