package dev.outpost.runtime.engine;

/** Thrown if a requested engine cannot compute on this machine. No other engine takes its place. */
public final class EngineUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param problem what is missing or does not work, beginning with the engine's name
     * @param remedy what to do about it, in one sentence
     */
    public EngineUnavailableException(String problem, String remedy) {
        super(problem + ": " + remedy);
    }
}
