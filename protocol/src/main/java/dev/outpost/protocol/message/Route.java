package dev.outpost.protocol.message;

import dev.outpost.types.MalformedException;
import java.util.List;

/** A lane in one direction. A message that does not belong there is refused by its kind, before its contents are read. */
public enum Route {
    CONTROL_TO_RUNTIME("control"),
    BULK_TO_RUNTIME("bulk"),
    CONTROL_TO_CLIENT("control"),
    BULK_TO_CLIENT("bulk");

    private record Kind(String name, Route route) {}

    /** By the byte that a message begins with, from 1. */
    private static final List<Kind> KINDS = List.of(
            new Kind("RunSegment", CONTROL_TO_RUNTIME),
            new Kind("Fetch", CONTROL_TO_RUNTIME),
            new Kind("Free", CONTROL_TO_RUNTIME),
            new Kind("UploadChunk", BULK_TO_RUNTIME),
            new Kind("Goodbye", CONTROL_TO_RUNTIME),
            new Kind("Progress", CONTROL_TO_CLIENT),
            new Kind("Fetched", CONTROL_TO_CLIENT),
            new Kind("FetchFailed", CONTROL_TO_CLIENT),
            new Kind("DownloadChunk", BULK_TO_CLIENT),
            new Kind("Farewell", CONTROL_TO_CLIENT),
            new Kind("RememberSegment", CONTROL_TO_RUNTIME),
            new Kind("RepeatSegment", CONTROL_TO_RUNTIME),
            new Kind("DefineProgram", CONTROL_TO_RUNTIME),
            new Kind("RunProgram", CONTROL_TO_RUNTIME),
            new Kind("DropProgram", CONTROL_TO_RUNTIME),
            new Kind("GrantEmissions", CONTROL_TO_RUNTIME),
            new Kind("CancelScan", CONTROL_TO_RUNTIME),
            new Kind("Scanned", CONTROL_TO_CLIENT),
            new Kind("Explain", CONTROL_TO_RUNTIME),
            new Kind("Explained", CONTROL_TO_CLIENT),
            new Kind("Trace", CONTROL_TO_RUNTIME),
            new Kind("Traced", CONTROL_TO_CLIENT),
            new Kind("ExplainProgram", CONTROL_TO_RUNTIME),
            new Kind("Failed", CONTROL_TO_CLIENT),
            new Kind("UpdateFailed", CONTROL_TO_CLIENT),
            new Kind("AskSource", CONTROL_TO_RUNTIME),
            new Kind("SourceAnswered", CONTROL_TO_CLIENT),
            new Kind("SourceFailed", CONTROL_TO_CLIENT),
            new Kind("AskPeers", CONTROL_TO_RUNTIME),
            new Kind("PeersAnswered", CONTROL_TO_CLIENT),
            new Kind("PeersFailed", CONTROL_TO_CLIENT));

    private final String lane;

    Route(String lane) {
        this.lane = lane;
    }

    /** Fails for the kind of a message that does not travel here. */
    void require(int code) {
        if (code < 1 || code > KINDS.size()) {
            throw new MalformedException("message kind " + code + " is unknown");
        }
        Kind kind = KINDS.get(code - 1);
        if (kind.route != this) {
            throw new MalformedException(kind.name + " does not belong on the " + lane + " lane");
        }
    }
}
