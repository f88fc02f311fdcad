package dev.outpost.bench.backend;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.bench.files.TemporaryFolder;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the backend, with its embedded database, from the outside. */
@Command(
        name = "backend",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description =
                "The backend: starts over process, latency at a fixed rate, claims of warm machines, deployments from zero to the first token, watchers of events, idle machines, failover, a long past.")
public final class BackendBench implements Callable<Integer> {
    /** The number of claims per second. */
    private static final int CLAIMS = 50;

    @Option(names = "--json", paramLabel = "FILE", description = "Write the figures to this file, too.")
    private Path json;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "PART",
            description =
                    "Some parts: start, api, claims, deployment, watchers, idle, failover, history. All of them unless given.")
    private List<String> only = List.of();

    @Option(names = "--rate", defaultValue = "200", description = "Requests a second.")
    private int rate;

    @Option(names = "--seconds", defaultValue = "30", description = "Of each load.")
    private int seconds;

    @Option(names = "--watchers", defaultValue = "1000", description = "Who listen to events at once.")
    private int watchers;

    @Option(names = "--machines", defaultValue = "10000", description = "That are ready and idle.")
    private int machines;

    @Option(names = "--rounds", defaultValue = "5", description = "Of what is repeated.")
    private int rounds;

    @Option(
            names = "--layers",
            defaultValue = "8",
            description = "Of a deployment's model, which has the shape of SmolLM2-135M with 30.")
    private int layers;

    @Option(names = "--past", defaultValue = "1000000", description = "Machines that are over, with ten events each.")
    private int past;

    @Option(names = "--calls", defaultValue = "300", description = "Of each kind that are timed on a long past.")
    private int calls;

    private final Map<String, Double> figures = new LinkedHashMap<>();

    private Map<String, BackendPart> parts() {
        Map<String, BackendPart> parts = new LinkedHashMap<>();
        parts.put("start", new ColdStarts(rounds));
        parts.put("api", new ApiLatency(rate, seconds));
        parts.put("claims", new Claims(CLAIMS, seconds, rounds));
        parts.put("deployment", new ZeroToToken(layers, rounds));
        parts.put("watchers", new EventWatchers(watchers, rounds));
        parts.put("idle", new IdleMachines(machines, seconds));
        parts.put("failover", new Failover(rounds));
        parts.put("history", new LongPast(past, calls));
        return parts;
    }

    @Override
    public Integer call() throws Exception {
        Map<String, BackendPart> parts = parts();
        for (String name : only) {
            if (!parts.containsKey(name)) {
                throw new IllegalArgumentException("--only: expected some of " + parts.keySet() + ", got " + name);
            }
        }
        for (Map.Entry<String, BackendPart> part : parts.entrySet()) {
            if (only.isEmpty() || only.contains(part.getKey())) {
                measure(part.getValue());
            }
        }
        if (json != null) {
            new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(json.toFile(), figures);
        }
        return 0;
    }

    private void measure(BackendPart part) throws Exception {
        try (TemporaryFolder folder = new TemporaryFolder("backend")) {
            part.measure(folder.path(), (name, value) -> {
                figures.put(name, value);
                System.out.printf("%-28s %,12.2f%n", name, value);
            });
        }
    }
}
