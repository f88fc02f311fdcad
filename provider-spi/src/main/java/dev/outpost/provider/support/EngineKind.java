package dev.outpost.provider.support;

/** The engine of a machine. */
public enum EngineKind {
    CUDA,
    CPU,
    REFERENCE;

    /** Returns the runtime's name of the engine. */
    public String text() {
        return SettingChoice.text(this);
    }
}
