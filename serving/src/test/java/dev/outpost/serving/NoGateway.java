package dev.outpost.serving;

import dev.outpost.serving.engine.ModelGateway;
import dev.outpost.serving.engine.ServedModel;
import java.util.List;
import java.util.function.Consumer;

/** Stands where a server has models of its own. */
final class NoGateway implements ModelGateway {
    @Override
    public void start(Consumer<List<String>> whenConnected) {
        throw new IllegalStateException("the server has no backend");
    }

    @Override
    public boolean isConnected() {
        return false;
    }

    @Override
    public List<String> names() {
        return List.of();
    }

    @Override
    public ServedModel await(String name) {
        throw new IllegalStateException("the server has no backend");
    }

    @Override
    public void close() {}
}
