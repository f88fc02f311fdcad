package dev.outpost.models.pipeline;

import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.models.RowSampler;
import dev.outpost.models.SamplingMetadata;
import dev.outpost.models.architecture.PagedKvCache;
import dev.outpost.types.DType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The texts of a batch on one stage of a pipeline: their blocks and positions there, and the programs of the stage's steps.
 * Calls do not wait. Not thread-safe.
 */
final class StageTexts implements AutoCloseable {
    private final DecoderStage stage;
    private final RemoteMachine machine;
    private final long batch;
    private final List<int[]> taken = new ArrayList<>();
    private final Program chunk;
    private final Map<RowSampler.Kind, Program> choosing = new HashMap<>();
    private final Program passing;
    /** Chooses tokens at the last stage. */
    private final RowSampler sampler;
    /** The slot of each text, {@code [batch]}. */
    private final Tensor slots;
    /** The blocks of each text, {@code [batch, blocks]}. */
    private final Tensor table;
    /** The positions of the next tokens, {@code [batch]}. */
    private Tensor positions;

    /** @param lengths the maximum number of tokens of each text */
    StageTexts(DecoderStage stage, List<Long> lengths) {
        this.stage = stage;
        this.machine = stage.machine();
        this.batch = lengths.size();
        table = table(lengths);
        sampler = new RowSampler(machine, lengths.size(), stage.decoder().vocabulary());
        slots = machine.unscoped(() -> machine.arange(batch));
        chunk = machine.program(inputs -> GradMode.noGrad(() -> List.of(answer(inputs.get(0), inputs.get(1), inputs))));
        passing = machine.program(this::pass);
    }

    private Tensor table(List<Long> lengths) {
        int blocks = lengths.stream().mapToInt(PagedKvCache::blocksOf).max().orElseThrow();
        long[] entries = new long[Math.toIntExact(batch * blocks)];
        boolean isDone = false;
        try {
            for (int text = 0; text < batch; text++) {
                int[] own = stage.pool().take(PagedKvCache.blocksOf(lengths.get(text)));
                taken.add(own);
                for (int place = 0; place < own.length; place++) {
                    entries[text * blocks + place] = own[place];
                }
            }
            isDone = true;
        } finally {
            if (!isDone) {
                release();
            }
        }
        return machine.unscoped(() -> machine.tensor(entries, batch, blocks));
    }

    private void release() {
        taken.forEach(stage.pool()::release);
        taken.clear();
    }

    RemoteMachine machine() {
        return machine;
    }

    RowSampler sampler() {
        return sampler;
    }

    /** Sets the positions of the tokens of the next step. */
    void goOnAt(long[] indices) {
        Tensor before = positions;
        positions = machine.unscoped(() -> machine.tensor(indices, batch));
        if (before != null) {
            before.close();
        }
    }

    // ---- programs

    private Tensor answer(Tensor given, Tensor positions, List<Tensor> inputs) {
        return stage.answer(given, stage.pool().at(inputs.get(2), positions));
    }

    private Tensor step(List<Tensor> inputs) {
        Tensor given = stage.isFirst() ? inputs.get(0).reshape(-1, 1) : inputs.get(0);
        return answer(given, inputs.get(1).reshape(-1, 1), inputs);
    }

    private List<Tensor> pass(List<Tensor> inputs) {
        return GradMode.noGrad(() -> List.of(step(inputs), inputs.get(1).add(1)));
    }

    private List<Tensor> choose(RowSampler.Kind kind, List<Tensor> inputs) {
        return GradMode.noGrad(() -> {
            Tensor next = chosen(kind, step(inputs).reshape(batch, -1), inputs.subList(3, inputs.size()));
            return List.of(next, inputs.get(1).add(1));
        });
    }

    private Tensor chosen(RowSampler.Kind kind, Tensor hidden, List<Tensor> rules) {
        return sampler.next(kind, stage.decoder().logits(hidden).to(DType.FLOAT32), slots, rules);
    }

    // ---- calls

    /**
     * Computes a part of the prompts.
     *
     * @param given tokens, or the output of the stage before; the caller still has to close it
     * @param start the position of the part's first token
     * @return {@code [batch, tokens, features]}, which the caller closes
     */
    Tensor chunk(Tensor given, long start) {
        return machine.unscoped(() -> {
            try (Tensor row = machine.arange(start, start + given.size(1), 1);
                    Tensor place = row.reshape(1, -1);
                    Tensor positions = place.repeat(batch, 1)) {
                return chunk.call(given, positions, table).getFirst();
            }
        });
    }

    /** Computes a token of each text at a stage before the last. The caller closes the result. */
    Tensor pass(Tensor given) {
        return advanced(machine.unscoped(() -> passing.call(given, positions, table)));
    }

    /** Chooses the first tokens from the last hidden states of the prompts, at the last stage. The caller closes them. */
    Tensor choose(Tensor hidden, List<SamplingMetadata> choices) {
        RowSampler.Kind kind = RowSampler.Kind.of(choices);
        return machine.unscoped(() -> GradMode.noGrad(() ->
                Scope.tidy(() -> chosen(kind, hidden, sampler.inputs(kind, choices, (int) batch)))));
    }

    /** Chooses the next tokens from the output of the stage before, at the last stage. The caller closes them. */
    Tensor chooseNext(Tensor given, List<SamplingMetadata> choices) {
        RowSampler.Kind kind = RowSampler.Kind.of(choices);
        Program step = choosing.computeIfAbsent(kind, which -> machine.program(inputs -> choose(which, inputs)));
        return advanced(machine.unscoped(() -> Scope.tidy(
                () -> {
                    List<Tensor> inputs = new ArrayList<>(List.of(given, positions, table));
                    inputs.addAll(sampler.inputs(kind, choices, (int) batch));
                    return step.call(inputs.toArray(Tensor[]::new));
                },
                called -> called)));
    }

    private Tensor advanced(List<Tensor> results) {
        positions.close();
        positions = results.get(1);
        return results.get(0);
    }

    @Override
    public void close() {
        choosing.values().forEach(Program::close);
        chunk.close();
        passing.close();
        sampler.close();
        slots.close();
        table.close();
        if (positions != null) {
            positions.close();
        }
        release();
    }
}
