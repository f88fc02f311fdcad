package dev.outpost.serving.engine;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The models that requests can name: the models of this server, or the deployments of a backend. Thread-safe. */
public interface ModelDirectory extends AutoCloseable {
    /**
     * Begins to load models, or to ask the backend.
     *
     * @param whenReady called with all names each time that the directory becomes ready
     */
    void start(Consumer<List<String>> whenReady);

    /** Returns the names that the current request may use, even of models that are not loaded. */
    List<String> names();

    boolean isReady();

    /** Returns the reason why the models are not ready. */
    String whyNotReady();

    /** Returns the failure of the first load of the models. */
    default Optional<String> startFailure() {
        return Optional.empty();
    }

    /**
     * Returns the model of a name for the current request. May wait until a machine has loaded it.
     *
     * @throws UnknownModelException if the request may use no model of that name
     * @throws UnavailableException if no machine has it in time
     */
    ServedModel await(String name);

    /** Ends the running requests, and releases the machines. */
    @Override
    void close();

    default GeneratingModel generating(String name) {
        return find(name, GeneratingModel.class, "does not generate text");
    }

    default EmbeddingModel embedding(String name) {
        return find(name, EmbeddingModel.class, "makes no embeddings");
    }

    /** Returns a {@link RerankModel} or an {@link EmbeddingModel}, because both can rank texts. */
    default ServedModel ranking(String name) {
        ServedModel found = find(name, ServedModel.class, "");
        if (found instanceof GeneratingModel || found instanceof ProgramModel) {
            throw new IllegalArgumentException("the model `" + name + "` ranks no texts");
        }
        return found;
    }

    /** Returns a published program. */
    default ProgramModel program(String name) {
        return find(name, ProgramModel.class, "is no program");
    }

    private <M extends ServedModel> M find(String name, Class<M> kind, String butIs) {
        if (name == null) {
            throw new IllegalArgumentException(
                    "you must provide a model parameter; there is " + String.join(", ", names()));
        }
        ServedModel found = await(name);
        if (!kind.isInstance(found)) {
            throw new IllegalArgumentException("the model `" + name + "` " + butIs);
        }
        return kind.cast(found);
    }
}
