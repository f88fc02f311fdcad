package dev.outpost.models;

import dev.outpost.Source;
import dev.outpost.SourceTensor;
import dev.outpost.nn.Module;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Loads the weights of a module from a source. */
final class Checkpoint {
    private Checkpoint() {}

    /** Of the first matrix, since norms are sometimes stored wider. */
    static DType storedDType(Source source) {
        return source.tensors().values().stream()
                .filter(tensor -> tensor.dtype().isFloating() && tensor.shape().rank() > 1)
                .map(SourceTensor::dtype)
                .findFirst()
                .orElseThrow(() -> new OutpostException(
                        FaultKind.USER, source.uri() + ": there are no weights in .safetensors files"));
    }

    /**
     * Loads all parameters; one that is missing or of another shape is an error.
     *
     * @param nameOf the module's name of a stored tensor, or null for one that it has no use for
     * @param isSpare whether a stored tensor that the module lacks may be left out
     */
    static void load(
            Module module, Source source, DType dtype, UnaryOperator<String> nameOf, Predicate<String> isSpare) {
        SequencedMap<String, SourceTensor> fitting = new LinkedHashMap<>();
        Set<String> known = module.namedParameters().keySet();
        source.tensors().forEach((stored, tensor) -> {
            String own = nameOf.apply(stored);
            if (own != null && (known.contains(own) || !isSpare.test(own))) {
                fitting.put(own, tensor);
            }
        });
        module.requiresGrad(false).eval().to(dtype);
        module.loadStateDict(fitting, true);
    }

    /** Lets go of the weights. */
    static void close(Module module) {
        module.parameters().forEach(parameter -> parameter.tensor().close());
    }
}
