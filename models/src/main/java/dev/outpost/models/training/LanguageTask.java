package dev.outpost.models.training;

import dev.outpost.HostTensor;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.models.CausalLM;
import dev.outpost.models.architecture.Decoder;
import dev.outpost.models.training.data.TokenBatch;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Module;
import dev.outpost.nn.Reduction;
import dev.outpost.types.DType;
import java.util.List;
import java.util.stream.IntStream;

/** Trains a language model, or an adapter on it, to predict the next token. The loss is the cross entropy of the labels. */
public final class LanguageTask implements TrainingTask<TokenBatch> {
    private final Decoder decoder;
    private final Module trained;

    private LanguageTask(Decoder decoder, Module trained) {
        this.decoder = decoder;
        this.trained = trained;
    }

    /**
     * Trains all parameters of a model. Its weights should be float32.
     *
     * @param tokens number of tokens in a row
     */
    public static LanguageTask whole(CausalLM model, int tokens) {
        Decoder decoder = model.module(tokens);
        decoder.requiresGrad(true);
        return new LanguageTask(decoder, decoder);
    }

    /**
     * Trains a module that is attached to a model, such as an adapter.
     *
     * @param trained the module with the trained parameters
     * @param tokens number of tokens in a row
     */
    public static LanguageTask part(CausalLM model, Module trained, int tokens) {
        return new LanguageTask(model.module(tokens), trained);
    }

    @Override
    public Module module() {
        return trained;
    }

    @Override
    public List<HostTensor> inputs(TokenBatch batch) {
        return List.of(
                tensor(batch, batch.ids()),
                tensor(batch, batch.labels()),
                tensor(batch, batch.positions()),
                tensor(batch, batch.texts()));
    }

    private static HostTensor tensor(TokenBatch batch, int[] values) {
        long[] wide = IntStream.of(values).asLongStream().toArray();
        return HostTensor.of(wide, batch.rows(), batch.tokens());
    }

    @Override
    public double weight(TokenBatch batch) {
        return batch.labelCount();
    }

    @Override
    public long size(TokenBatch batch) {
        return batch.tokenCount();
    }

    @Override
    public Tensor loss(List<Tensor> inputs) {
        return Scope.tidy(() -> {
            Tensor scores = decoder.forward(inputs.get(0), inputs.get(2), inputs.get(3));
            Tensor flat = scores.reshape(-1, scores.size(-1)).to(DType.FLOAT32);
            return Functional.crossEntropy(
                    flat, inputs.get(1).reshape(-1), null, TokenBatch.NO_LABEL, Reduction.SUM, 0);
        });
    }
}
