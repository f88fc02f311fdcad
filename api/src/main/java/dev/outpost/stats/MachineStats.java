package dev.outpost.stats;

/**
 * The counters of a machine's session so far.
 *
 * @param opsRecorded primitive operations that the program recorded, views not counted
 * @param instructions instructions sent, views that were used included
 * @param segments segments sent
 * @param repeatedSegments segments that the machine remembered, so that only the changes were sent
 * @param frames frames sent
 * @param waits times that the program waited for the machine
 * @param bytesOut bytes sent, uploads and acknowledgements included
 * @param bytesIn bytes received
 * @param controlBytesOut bytes sent without uploads
 * @param liveBytes the bytes of the session's values in the machine's latest report
 * @param liveValues the number of values at that time
 * @param engineNanos time that the machine spent in kernels; the time of many small kernels is estimated from a few
 * of them
 * @param kernels kernels that have run
 * @param plans plans that the machine made
 * @param provisioning the time that the machine took to start
 * @param hint advice about a part of the program that costs time, with its line and the remedy; empty for none
 */
public record MachineStats(
        long opsRecorded,
        long instructions,
        long segments,
        long repeatedSegments,
        long frames,
        long waits,
        long bytesOut,
        long bytesIn,
        long controlBytesOut,
        long liveBytes,
        long liveValues,
        long engineNanos,
        long kernels,
        long plans,
        Provisioning provisioning,
        String hint) {

    /** Returns the bytes on the control lane for each instruction. */
    public double bytesPerOp() {
        return instructions == 0 ? 0 : (double) controlBytesOut / instructions;
    }
}
