package dev.outpost.runtime.engine;

/** Thrown if a requested engine cannot compute on this machine. No other engine takes its place. */
public final class EngineUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param problem the missing or failing part, in words that begin with the engine's name
     * @param remedy the advice to the user, in one sentence
     */
    public EngineUnavailableException(String problem, String remedy) {
        super(problem + ": " + remedy);
    }
}
