package dev.outpost.runtime.engine;

import java.util.ServiceLoader;

/** Opens an engine of another module. {@link ServiceLoader} finds the provider. */
public interface EngineProvider {
    /** Returns the name of the engine, by which users select it. */
    String name();

    /**
     * Starts the engine.
     *
     * @throws EngineUnavailableException if it cannot compute here
     */
    Engine open(EngineSettings settings);

    /**
     * Starts the engine of that name.
     *
     * @throws EngineUnavailableException if no module provides it, or it cannot compute here
     */
    static Engine open(String name, EngineSettings settings) {
        return ServiceLoader.load(EngineProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new EngineUnavailableException(
                        name + ": this runtime does not include the engine",
                        "Use an image of the runtime that has it."))
                .open(settings);
    }
}
