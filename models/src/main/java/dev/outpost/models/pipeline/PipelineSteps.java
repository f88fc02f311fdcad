package dev.outpost.models.pipeline;

import dev.outpost.HostTensor;
import dev.outpost.PeerLinks;
import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.Tensors;
import dev.outpost.models.BatchRule;
import dev.outpost.models.SequenceInit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a batch of texts over the stages of a pipeline. A step is recorded on all machines at once without waiting.
 * Each stage sends its output directly to the next machine, and the last machine sends the tokens to the first. Not
 * thread-safe. Only one step of all batches of a pipeline may be recorded at a time, so that all machines have the same order
 * of steps.
 */
final class PipelineSteps implements AutoCloseable {
    /** The number of prompt tokens that are computed together. */
    private static final int CHUNK = 256;

    private final List<StageTexts> stages = new ArrayList<>();
    private final @Nullable PeerLinks links;
    private final BatchRule rule;
    private final int batch;
    /** The tokens that were chosen last. They are on the last machine. */
    private Tensor latest;

    /**
     * Creates the steps for a batch of texts, and allocates the cache blocks of each text.
     *
     * @param links the connections between the machines; null if there is only one stage
     * @param lengths the maximum number of tokens of each text
     */
    PipelineSteps(List<DecoderStage> stages, @Nullable PeerLinks links, BatchRule rule, List<Long> lengths) {
        this.links = links;
        this.rule = rule;
        this.batch = lengths.size();
        boolean isDone = false;
        try {
            stages.forEach(stage -> this.stages.add(new StageTexts(stage, lengths)));
            isDone = true;
        } finally {
            if (!isDone) {
                close();
            }
        }
    }

    private StageTexts last() {
        return stages.getLast();
    }

    /** Computes the present tokens of the texts, and chooses the token after each. */
    CompletableFuture<HostTensor> begin(List<SequenceInit> texts) {
        for (int text = 0; text < batch; text++) {
            last().sampler().begin(text, texts.get(text));
        }
        List<int[]> tokens = texts.stream().map(SequenceInit::tokens).toList();
        try (Tensor hidden = prefill(tokens)) {
            latest = last().choose(hidden, rule.next(batch));
        }
        long[] indices = tokens.stream().mapToLong(ids -> ids.length).toArray();
        stages.forEach(stage -> stage.goOnAt(indices));
        return latest.fetch();
    }

    /** Computes the next token of each text. */
    CompletableFuture<HostTensor> next() {
        Tensor given = sent(latest, stages.getFirst().machine());
        latest.close();
        for (int place = 0; place < stages.size() - 1; place++) {
            given = sentOn(stages.get(place)::pass, given, place);
        }
        try (Tensor arrived = given) {
            latest = last().chooseNext(arrived, rule.next(batch));
        }
        return latest.fetch();
    }

    private interface StageCall {
        Tensor answer(Tensor given);
    }

    /** Computes a stage, and sends its output to the machine of the next stage. */
    private Tensor sentOn(StageCall call, Tensor given, int place) {
        try (Tensor consumed = given;
                Tensor answered = call.answer(consumed)) {
            return sent(answered, stages.get(place + 1).machine());
        }
    }

    private Tensor sent(Tensor value, RemoteMachine target) {
        return links == null ? value.detach() : links.send(value, target);
    }

    /**
     * Returns the last hidden state of each text, {@code [batch, features]}, on the last machine. Shorter texts are padded at
     * the end. The padding's entries in the caches lie after the text, where they are overwritten before they are read.
     */
    private Tensor prefill(List<int[]> texts) {
        int longest = texts.stream().mapToInt(ids -> ids.length).max().orElseThrow();
        Tensor last = null;
        for (int start = 0; start < longest; start += CHUNK) {
            Tensor before = last;
            last = chunk(texts, start, Math.min(CHUNK, longest - start), before);
            if (before != null) {
                before.close();
            }
        }
        return last;
    }

    private Tensor chunk(List<int[]> texts, int start, int count, Tensor before) {
        RemoteMachine first = stages.getFirst().machine();
        Tensor given = first.unscoped(() -> first.tensor(ids(texts, start, count), batch, count));
        for (int place = 0; place < stages.size() - 1; place++) {
            StageTexts stage = stages.get(place);
            given = sentOn(x -> stage.chunk(x, start), given, place);
        }
        try (Tensor arrived = given;
                Tensor hidden = last().chunk(arrived, start)) {
            return ends(hidden, texts, start, count, before);
        }
    }

    private long[] ids(List<int[]> texts, int start, int count) {
        long[] ids = new long[batch * count];
        for (int text = 0; text < batch; text++) {
            int[] tokens = texts.get(text);
            for (int place = 0; place < count && start + place < tokens.length; place++) {
                ids[text * count + place] = tokens[start + place];
            }
        }
        return ids;
    }

    /** Returns the hidden states of the last token of each text, as far as they are known. */
    private Tensor ends(Tensor hidden, List<int[]> texts, int start, int count, Tensor before) {
        RemoteMachine machine = last().machine();
        long[] rows = new long[batch];
        boolean[] isHere = new boolean[batch];
        for (int text = 0; text < batch; text++) {
            int length = texts.get(text).length;
            rows[text] = (long) text * count + Math.clamp(length - 1L - start, 0, count - 1);
            isHere[text] = length > start;
        }
        return machine.unscoped(() -> Scope.tidy(() -> {
            Tensor found = hidden.reshape(-1, hidden.size(-1)).indexSelect(0, machine.tensor(rows, batch));
            return before == null ? found : Tensors.where(machine.tensor(isHere, batch, 1), found, before);
        }));
    }

    @Override
    public void close() {
        if (latest != null) {
            latest.close();
        }
        stages.forEach(StageTexts::close);
    }
}
