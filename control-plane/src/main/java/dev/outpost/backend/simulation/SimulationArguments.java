package dev.outpost.backend.simulation;

import dev.outpost.provider.support.Durations;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;

/** The options of {@code ./outpost simulate}, each in the form {@code --name value}. */
final class SimulationArguments {
    static final String HELP = """
            Usage: outpost simulate [OPTIONS]
            Runs the backend's own decisions and a real database against clusters, people and faults in virtual time.

              --machines NUMBER      How many requests are drawn; 1000 by default.
              --projects NUMBER      Of how many projects; 100 by default.
              --time DURATION        Within which time, such as 90m; 24h by default.
              --arrivals FILE        Replay these requests: seconds,organisation,project,gpu,use_seconds under such a header.
              --room GPU=NUMBER      How many machines of a kind there are, several times; twice the average use by default.
              --pool GPU=MIN[..MAX]  Machines that wait; several times. The same is run without any pool and compared.
              --price GPU=AMOUNT     Of one GPU for an hour, several times.
              --half-life DURATION   Of the fair share; 24h by default.
              --quota NUMBER         How many GPUs a project may have at once.
              --budget AMOUNT        What each tenth organisation may spend in a day; 100 by default, 0 for no budgets.
              --faults KIND          none, usual (the default) or many.
              --step DURATION        How far the clock moves at a time; 10s by default.
              --seed NUMBER          Of all that is drawn; 1 by default.
              --out FOLDER           Write table, charts and the requests there.
              -h, --help             Show this and exit.
            """;

    private static final Map<String, BigDecimal> PRICES = Map.of(
            "T4",
            new BigDecimal("0.35"),
            "L4",
            new BigDecimal("0.71"),
            "A100",
            new BigDecimal("3.67"),
            "H100",
            new BigDecimal("6.98"));

    private final Map<String, List<String>> values = new TreeMap<>();

    private SimulationArguments() {}

    /** @throws IllegalArgumentException if an option is unknown or lacks its value */
    static SimulationArguments parse(String... arguments) {
        SimulationArguments read = new SimulationArguments();
        for (int i = 0; i < arguments.length; i += 2) {
            String flag = arguments[i];
            if (!HELP.contains("  " + flag + " ") || !flag.startsWith("--")) {
                throw new IllegalArgumentException(flag + " is unknown; --help lists the options");
            }
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(flag + ": a value is missing");
            }
            read.values.computeIfAbsent(flag, none -> new ArrayList<>()).add(arguments[i + 1]);
        }
        return read;
    }

    Optional<Path> out() {
        return last("--out").map(Path::of);
    }

    /** @throws IllegalArgumentException if a value is invalid; the message names option and value */
    Scenario scenario() throws IOException {
        Duration time = duration("--time", "24h");
        long seed = whole("--seed", 1);
        List<Arrival> arrivals = arrivals(time, seed);
        Map<String, Integer> room = new TreeMap<>(DayOfRequests.room(arrivals, time));
        room.putAll(pairs("--room", text -> parse("--room", text, Integer::valueOf)));
        Map<String, BigDecimal> prices = new TreeMap<>(PRICES);
        prices.putAll(pairs("--price", text -> parse("--price", text, BigDecimal::new)));
        List<PoolSize> pools = new ArrayList<>();
        pairs("--pool", text -> text).forEach((gpu, size) -> pools.add(pool(gpu, size)));
        return new Scenario(
                arrivals,
                time,
                duration("--step", "10s"),
                seed,
                InjectedFaults.named(last("--faults").orElse("usual")),
                room,
                pools,
                prices,
                duration("--half-life", "24h"),
                last("--quota")
                        .map(text -> OptionalInt.of(parse("--quota", text, Integer::valueOf)))
                        .orElseGet(OptionalInt::empty),
                Optional.of(last("--budget")
                                .map(text -> parse("--budget", text, BigDecimal::new))
                                .orElse(BigDecimal.valueOf(100)))
                        .filter(cap -> cap.signum() > 0));
    }

    private List<Arrival> arrivals(Duration time, long seed) throws IOException {
        Optional<String> file = last("--arrivals");
        return file.isPresent()
                ? ArrivalFile.read(Path.of(file.get()))
                : new DayOfRequests(whole("--machines", 1000), whole("--projects", 100), time).draw(new Random(seed));
    }

    private static PoolSize pool(String gpu, String text) {
        String[] bounds = text.split("\\.\\.", 2);
        int min = parse("--pool", bounds[0], Integer::valueOf);
        return new PoolSize(gpu, min, parse("--pool", bounds[bounds.length - 1], Integer::valueOf));
    }

    private <T> Map<String, T> pairs(String flag, Function<String, T> value) {
        Map<String, T> pairs = new TreeMap<>();
        for (String text : values.getOrDefault(flag, List.of())) {
            String[] pair = text.split("=", 2);
            if (pair.length != 2) {
                throw new IllegalArgumentException(flag + ": expected GPU=VALUE, got \"" + text + "\"");
            }
            pairs.put(pair[0], value.apply(pair[1]));
        }
        return pairs;
    }

    private Optional<String> last(String flag) {
        return Optional.ofNullable(values.get(flag)).map(List::getLast);
    }

    private Duration duration(String flag, String otherwise) {
        String text = last(flag).orElse(otherwise);
        try {
            Duration duration = Durations.parse(text);
            if (duration.toSeconds() < 1) {
                throw new IllegalArgumentException("expected 1s or more");
            }
            return duration;
        } catch (IllegalArgumentException failure) {
            throw new IllegalArgumentException(flag + ": " + failure.getMessage() + ", got \"" + text + "\"", failure);
        }
    }

    private int whole(String flag, int otherwise) {
        int number = last(flag).map(text -> parse(flag, text, Integer::valueOf)).orElse(otherwise);
        if (number < 1) {
            throw new IllegalArgumentException(flag + ": expected 1 or more, got " + number);
        }
        return number;
    }

    private static <T> T parse(String flag, String text, Function<String, T> reader) {
        try {
            return reader.apply(text);
        } catch (NumberFormatException failure) {
            throw new IllegalArgumentException(flag + ": expected a number, got \"" + text + "\"", failure);
        }
    }
}
