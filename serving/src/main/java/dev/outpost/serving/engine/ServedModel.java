package dev.outpost.serving.engine;

/** A model that is loaded. */
public sealed interface ServedModel extends AutoCloseable permits GeneratingModel, EmbeddingModel {
    /** What requests call it. */
    String name();

    @Override
    void close();
}
