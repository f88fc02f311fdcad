package dev.outpost.cli.models;

import dev.outpost.cli.support.CommandProgress;
import dev.outpost.source.Source;
import dev.outpost.source.SourceTensor;
import dev.outpost.types.TensorType;

/** Shows the progress of loading a model. */
final class ModelLoading {
    private ModelLoading() {}

    /** Shows the bytes that the machine reads from a source, until the task is closed. */
    static CommandProgress.Task show(Source source) {
        long all = source.tensors().values().stream()
                .mapToLong(ModelLoading::bytes)
                .sum();
        long before = source.progress().bytes();
        return CommandProgress.ofProcess()
                .bytes("loading " + source.uri(), all, () -> source.progress().bytes() - before);
    }

    private static long bytes(SourceTensor tensor) {
        return new TensorType(tensor.storedDType(), tensor.shape()).bytes();
    }
}
