package dev.outpost.bench.generate;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.bench.serving.RandomModel;
import dev.outpost.models.CausalLM;
import dev.outpost.models.Generation;
import dev.outpost.models.Sampling;
import dev.outpost.models.architecture.Quantization;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Outpost on a machine. */
final class OutpostGenerator implements BenchmarkedEngine {
    private final String name;
    private final RemoteMachine machine;
    private final CausalLM model;

    OutpostGenerator(String where, Path folder, long tokens, Quantization quantize) {
        String[] parts = where.split(":");
        MachineOptions options = new MachineOptions();
        if (parts[0].equals("mock")) {
            options.option("sources", "file:" + folder);
        }
        name = "outpost" + (quantize == null ? "" : " int" + quantize.bits());
        machine = RemoteMachine.of(parts[0], parts.length == 1 ? "any" : parts[1], options);
        model = CausalLM.load(machine.open("file:" + folder), null, tokens, quantize);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Optional<Rates> run(int texts, int promptTokens, int newTokens) {
        SplittableRandom random = new SplittableRandom(texts);
        List<int[]> prompts = IntStream.range(0, texts)
                .mapToObj(text ->
                        random.ints(promptTokens, 1, RandomModel.vocabulary()).toArray())
                .toList();
        Sampling greedy = Sampling.greedy().maxTokens(newTokens).ignoreEnd();
        try (Generation generation = model.generate(prompts, greedy)) {
            generation.toEnd();
            Generation.Rates rates = generation.rates();
            return Optional.of(new Rates(rates.promptRate(), rates.decodeRate()));
        }
    }

    @Override
    public void close() {
        model.close();
        machine.close();
    }
}
