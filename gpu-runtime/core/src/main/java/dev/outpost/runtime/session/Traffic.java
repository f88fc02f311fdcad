package dev.outpost.runtime.session;

/**
 * Bytes of whole frames, by lane and direction as seen from the runtime; acknowledgements and repeats count.
 *
 * @param controlIn what came on the control lane
 * @param controlOut what went out on it
 * @param bulkIn what came on the bulk lane
 * @param bulkOut what went out on it
 */
public record Traffic(long controlIn, long controlOut, long bulkIn, long bulkOut) {
    static final Traffic NONE = new Traffic(0, 0, 0, 0);

    Traffic plus(Traffic more) {
        return new Traffic(
                controlIn + more.controlIn, controlOut + more.controlOut, bulkIn + more.bulkIn, bulkOut + more.bulkOut);
    }
}
