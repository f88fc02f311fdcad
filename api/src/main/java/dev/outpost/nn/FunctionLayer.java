package dev.outpost.nn;

import dev.outpost.Tensor;
import java.util.function.Function;

/** A layer without state: a function of its input with fixed settings. */
public abstract class FunctionLayer extends Module {
    private final String settings;
    private final Function<Tensor, Tensor> function;

    FunctionLayer(Function<Tensor, Tensor> function) {
        this("", function);
    }

    /** @param settings the text of the settings, as PyTorch prints it */
    FunctionLayer(String settings, Function<Tensor, Tensor> function) {
        this.settings = settings;
        this.function = function;
    }

    @Override
    public final Tensor forward(Tensor input) {
        return function.apply(input);
    }

    @Override
    protected final String settings() {
        return settings;
    }
}
