package dev.outpost.client.profile;

/**
 * An event of the file.
 *
 * @param phase {@code X} for a span, {@code i} for an instant, {@code b} and {@code e} for the ends of spans that may overlap, {@code s}
 *     and {@code f} for the ends of an arrow, {@code M} for a name of a process or track
 * @param process the number of the process in which it is shown
 * @param track the number of the track on which it is shown
 * @param name the name that is shown
 * @param start the nanoseconds from the begin of the profile to the event
 * @param duration the duration in nanoseconds; 0 unless it is a span
 * @param id the id that connects the ends of an overlapping span or an arrow; empty for spans and instants
 * @param arguments the contents of a JSON object, or empty
 */
record TraceEvent(
        char phase, int process, int track, String name, long start, long duration, String id, String arguments) {

    static TraceEvent span(int process, int track, String name, long start, long end, String arguments) {
        return new TraceEvent('X', process, track, name, start, Math.max(0, end - start), "", arguments);
    }

    static TraceEvent instant(int process, int track, String name, long at, String arguments) {
        return new TraceEvent('i', process, track, name, at, 0, "", arguments);
    }
}
