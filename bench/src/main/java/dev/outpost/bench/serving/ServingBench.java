package dev.outpost.bench.serving;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.bench.files.TemporaryFolder;
import dev.outpost.inference.BatchEngine;
import dev.outpost.inference.BatchListener;
import dev.outpost.inference.BatchSettings;
import dev.outpost.inference.ModelRunner;
import dev.outpost.models.CausalLM;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Generates texts of unequal lengths with one model: one at a time, in batches that begin and end together, and with
 * continuous batching; then at increasing rates of arrivals.
 */
@Command(
        name = "serving",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description =
                "Serving: continuous batching beside static batching and one text at a time, and arrivals at growing"
                        + " rates.")
public final class ServingBench implements Callable<Integer> {
    @Option(names = "--machine", defaultValue = "mock:any", description = "Where.")
    private String machine;

    @Option(names = "--layers", defaultValue = "30", description = "Of the model.")
    private int layers;

    @Option(names = "--texts", defaultValue = "48", description = "In each part.")
    private int count;

    @Option(names = "--at-once", defaultValue = "16", description = "Texts of a batch.")
    private int atOnce;

    @Option(
            names = "--prompt",
            defaultValue = "64",
            description = "Tokens of a prompt, from half to one and a half of it.")
    private int promptTokens;

    @Option(
            names = "--new",
            defaultValue = "56",
            description = "New tokens of a text, from half to one and a half of it.")
    private int newTokens;

    @Option(names = "--rounds", defaultValue = "3", description = "The ways are measured in turns, so many times.")
    private int rounds;

    @Option(
            names = "--rates",
            split = ",",
            defaultValue = "0.25,0.5,0.75,1",
            description = "Arrivals, as parts of what continuous batching can do.")
    private List<Double> rates;

    @Option(
            names = "--capacity",
            description = "Tokens a second that continuous batching can do: only arrivals are measured then.")
    private Double capacity;

    private final RandomTexts random = new RandomTexts();

    @Override
    public Integer call() throws IOException, InterruptedException {
        try (TemporaryFolder folder = new TemporaryFolder("serving")) {
            new RandomModel(layers).write(folder.path());
            measure(folder.path());
        }
        return 0;
    }

    private void measure(Path folder) throws InterruptedException {
        String[] parts = machine.split(":");
        MachineOptions options = new MachineOptions();
        if (parts[0].equals("mock")) {
            options.option("sources", "file:" + folder);
        }
        List<OpenLoopLoad.Text> texts = random.make(count, promptTokens, newTokens);
        try (RemoteMachine where = RemoteMachine.of(parts[0], parts.length == 1 ? "any" : parts[1], options);
                CausalLM model = CausalLM.load(where.open("file:" + folder), null, 256L * (atOnce + 1));
                ModelRunner runner = new ModelRunner(model, 256L * atOnce, atOnce, 256)) {
            BatchSettings settings = new BatchSettings(128, 10_000, 1);
            BatchEngine.warmUp(runner, settings);
            System.out.printf(
                    Locale.ROOT,
                    "%d texts, prompts of about %d tokens, about %d new ones, %d at once, on %s%n%n",
                    count,
                    promptTokens,
                    newTokens,
                    atOnce,
                    machine);
            try (BatchEngine engine = new BatchEngine(runner, settings, BatchListener.NONE)) {
                new ArrivalsAtRates(model, engine, random, texts, atOnce)
                        .run(rates, capacity == null ? compared(model, engine, texts) : capacity);
            }
        }
    }

    /** Returns the tokens per second of continuous batching. */
    private double compared(CausalLM model, BatchEngine engine, List<OpenLoopLoad.Text> texts)
            throws InterruptedException {
        BatchingComparison comparison = new BatchingComparison(model, engine, random, texts, atOnce);
        comparison.run(rounds);
        comparison.report(machine.startsWith("mock"));
        return comparison.continuousRate();
    }
}
