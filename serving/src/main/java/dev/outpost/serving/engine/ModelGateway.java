package dev.outpost.serving.engine;

import java.util.List;
import java.util.function.Consumer;

/** Models whose machines come and go by what a backend says. Thread-safe. */
public interface ModelGateway extends AutoCloseable {
    /**
     * Begins to ask the backend.
     *
     * @param whenConnected called with all names when it has answered the first time
     */
    void start(Consumer<List<String>> whenConnected);

    /** Whether the backend has ever answered. */
    boolean isConnected();

    /** The names that the request under way may use. */
    List<String> names();

    /**
     * A model of that name, for the request under way. Waits until a machine has it.
     *
     * @throws UnknownModelException where the request may call none of that name
     * @throws UnavailableException where there was no machine in time
     */
    ServedModel await(String name);

    @Override
    void close();
}
