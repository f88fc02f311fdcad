package dev.outpost.bench.generate;

import dev.outpost.bench.files.TemporaryFolder;
import dev.outpost.bench.serving.RandomModel;
import dev.outpost.models.architecture.Quantization;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.DoubleStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures tokens per second for several texts together and prompts of several lengths, compared with Jlama and transformers
 * with the same random weights. Engines take turns within each round; the result is the median of the rounds.
 */
@Command(
        name = "generate",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        description =
                "Generation: tokens a second by batch and prompt, beside Jlama and PyTorch with the same weights.")
public final class GenerateBench implements Callable<Integer> {
    @Option(names = "--machine", defaultValue = "mock:any", description = "Where.")
    private String machine;

    @Option(
            names = "--layers",
            defaultValue = "30",
            description = "Of the model, which has the shape of SmolLM2-135M with 30.")
    private int layers;

    @Option(names = "--batches", split = ",", defaultValue = "1,8,32", description = "Texts together.")
    private List<Integer> batches;

    @Option(names = "--prompts", split = ",", defaultValue = "32,512", description = "Tokens of a prompt.")
    private List<Integer> prompts;

    @Option(names = "--tokens", defaultValue = "32", description = "New ones of each text.")
    private int tokens;

    @Option(names = "--rounds", defaultValue = "3", description = "Measured ones.")
    private int rounds;

    @Option(names = "--quantize", split = ",", description = "Outpost also with int8 or int4 weights.")
    private List<String> quantize = List.of();

    @Option(names = "--no-peers", description = "Outpost alone.")
    private boolean isAlone;

    @Override
    public Integer call() throws IOException {
        try (TemporaryFolder folder = new TemporaryFolder("generate")) {
            new RandomModel(layers).write(folder.path());
            RandomModel.writeLetters(folder.path());
            measure(folder.path());
        }
        return 0;
    }

    private void measure(Path folder) throws IOException {
        double copied = CopyRate.measure();
        long weights = Files.size(folder.resolve("model.safetensors"));
        System.out.printf(
                Locale.ROOT,
                "%d processors, load %.1f, copies %.1f GB/s read and written, weights %.0f MB of float32, %d new"
                        + " tokens%n",
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                copied / 1e9,
                weights / 1e6,
                tokens);
        List<BenchmarkedEngine> engines = engines(folder);
        try {
            System.out.printf("%n%-8s %-8s %-14s %12s %12s%n", "texts", "prompt", "engine", "prompt/s", "new/s");
            for (int prompt : prompts) {
                for (int texts : batches) {
                    measure(engines, texts, prompt, weights / copied);
                }
            }
        } finally {
            engines.forEach(BenchmarkedEngine::close);
        }
    }

    private List<BenchmarkedEngine> engines(Path folder) throws IOException {
        long room = batches.stream().mapToLong(texts -> texts).max().orElse(1)
                * (prompts.stream().mapToLong(prompt -> prompt).max().orElse(1) + tokens + 16);
        List<BenchmarkedEngine> engines = new ArrayList<>(List.of(new OutpostGenerator(machine, folder, room, null)));
        quantize.forEach(how -> engines.add(new OutpostGenerator(machine, folder, room, Quantization.of(how))));
        if (!isAlone) {
            jlama(folder).ifPresent(engines::add);
            python(folder).ifPresent(engines::add);
        }
        return engines;
    }

    private static Optional<BenchmarkedEngine> jlama(Path folder) {
        return PeerProcess.start(
                "jlama",
                1,
                List.of(
                        System.getProperty("java.home") + "/bin/java",
                        "--add-modules",
                        "jdk.incubator.vector",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        JlamaPeer.class.getName(),
                        folder.toString()));
    }

    private static Optional<BenchmarkedEngine> python(Path folder) throws IOException {
        Path script = folder.resolve("generate.py");
        try (InputStream in = GenerateBench.class.getResourceAsStream("generate.py")) {
            Files.writeString(script, new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
        String python = Optional.ofNullable(System.getenv("OUTPOST_PYTHON")).orElse("python3");
        String threads = String.valueOf(Runtime.getRuntime().availableProcessors());
        return PeerProcess.start(
                "transformers", Integer.MAX_VALUE, List.of(python, script.toString(), folder.toString(), threads));
    }

    private void measure(List<BenchmarkedEngine> engines, int texts, int prompt, double secondsToRead) {
        List<List<Rates>> measured = new ArrayList<>();
        engines.forEach(engine -> measured.add(new ArrayList<>()));
        for (int round = 0; round <= rounds; round++) {
            for (int which = 0; which < engines.size(); which++) {
                Optional<Rates> rates = engines.get(which).run(texts, prompt, tokens);
                // The first round fills programs, kernels and caches.
                if (round > 0) {
                    rates.ifPresent(measured.get(which)::add);
                }
            }
        }
        for (int which = 0; which < engines.size(); which++) {
            if (!measured.get(which).isEmpty()) {
                double decode = median(measured.get(which).stream().mapToDouble(Rates::decode));
                // A step reads all weights once; a copy writes as much as it reads.
                String share = texts == 1 && engines.get(which).name().equals("outpost")
                        ? String.format(Locale.ROOT, "  %.0f %% of the copies", 100 * decode * secondsToRead)
                        : "";
                System.out.printf(
                        Locale.ROOT,
                        "%-8d %-8d %-14s %12.1f %12.2f%s%n",
                        texts,
                        prompt,
                        engines.get(which).name(),
                        median(measured.get(which).stream().mapToDouble(Rates::prompt)),
                        decode,
                        share);
            }
        }
    }

    private static double median(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return sorted[sorted.length / 2];
    }
}
