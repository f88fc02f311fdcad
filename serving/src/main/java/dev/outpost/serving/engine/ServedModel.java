package dev.outpost.serving.engine;

/** A model that is loaded. */
public sealed interface ServedModel extends AutoCloseable permits GeneratingModel, EmbeddingModel, RerankModel {
    /** What requests call it. */
    String name();

    @Override
    void close();
}
