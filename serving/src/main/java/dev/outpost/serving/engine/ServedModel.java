package dev.outpost.serving.engine;

/** A model that is loaded. */
public sealed interface ServedModel extends AutoCloseable
        permits GeneratingModel, EmbeddingModel, RerankModel, ProgramModel {
    /** Returns the model's name in requests. */
    String name();

    @Override
    void close();
}
