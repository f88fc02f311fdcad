package dev.outpost.client.session;

import dev.outpost.client.program.RemoteScan;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.types.MalformedException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The scans of a session that are not over. */
final class ScanTable {
    private final Map<Long, RemoteScan> open = new ConcurrentHashMap<>();
    private long lastNumber;

    /**
     * Opens a scan and gives it its number. Called under the session's lock, under which the message enters the outbox, so numbers rise in
     * the order of messages.
     */
    void open(RemoteScan scan) {
        scan.number(++lastNumber);
        open.put(scan.number(), scan);
    }

    void scanned(ToClient.Scanned message) {
        RemoteScan scan = open.get(message.scan());
        if (scan == null) {
            throw new MalformedException("scan " + message.scan() + " was never sent, or is over");
        }
        if (message.isOver()) {
            open.remove(message.scan());
        }
        scan.progress(message.iterations(), message.isOver());
    }

    boolean isAnyOpen() {
        return !open.isEmpty();
    }

    /** Lets all open scans run to their end, because a thread waits for work that was recorded after them. */
    void release() {
        open.values().forEach(RemoteScan::release);
    }

    void cancel() {
        open.values().forEach(RemoteScan::cancel);
    }

    void end(Throwable reason) {
        open.values().forEach(scan -> scan.end(reason));
        open.clear();
    }
}
