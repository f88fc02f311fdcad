package dev.outpost.runtime.session;

import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.source.SourceQuestion;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.source.TensorSaves;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Answers what a session asks about sources. Stores may be slow, so each question has a thread of its own, and neither the
 * network nor the session's work waits for it.
 */
final class SourceAnswers {
    private static final int MOST_AT_ONCE = 32;
    private static final int PIECE_BYTES = 256 << 10;

    private final SessionContext workspace;
    private final ReliableLane control;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;

    SourceAnswers(SessionContext workspace, ReliableLane control) {
        this.workspace = workspace;
        this.control = control;
    }

    /** Does not wait. Bytes that are no question are a {@link MalformedException}. Answers whether it is to be asked in its turn. */
    boolean answer(Message.AskSource ask) {
        SourceQuestion question = SourceQuestion.decode(ask.question());
        if (question instanceof SourceQuestion.Save) {
            return true;
        }
        start(ask.request(), () -> answered(question));
        return false;
    }

    /** Writes values of the session; called in the turn of the message. They are held until it is done. */
    void save(long request, SourceQuestion.Save save) {
        SequencedMap<String, Value.Present> held = new LinkedHashMap<>();
        for (Map.Entry<String, Long> entry : save.values().entrySet()) {
            switch (workspace.values().get(entry.getValue())) {
                case Value.Present present -> held.put(entry.getKey(), present.retain());
                case Value.Poisoned poisoned -> {
                    held.values().forEach(Value::release);
                    failed(
                            request,
                            new OutpostException(
                                    poisoned.fault().kind(), poisoned.fault().message()));
                    return;
                }
                case Deferred deferred -> throw new IllegalStateException(deferred + " was not computed");
            }
        }
        start(request, () -> {
            try {
                return saved(save, held);
            } finally {
                held.values().forEach(Value::release);
            }
        });
    }

    private byte[] saved(SourceQuestion.Save save, SequencedMap<String, Value.Present> held)
            throws IOException, InterruptedException {
        SequencedMap<String, Array> arrays = new LinkedHashMap<>();
        held.forEach((name, value) -> arrays.put(name, value.array()));
        ByteWriter answer = new ByteWriter();
        answer.varint(new TensorSaves(workspace.machine().sources(), workspace.engine())
                .save(save.uri(), arrays, save.files(), Math.max(1, save.shardBytes())));
        return answer.toByteArray();
    }

    private void start(long request, Callable<byte[]> answer) {
        if (threads.size() >= MOST_AT_ONCE) {
            throw new MalformedException("over " + MOST_AT_ONCE + " questions about sources at once");
        }
        Thread thread =
                Thread.ofVirtual().name("outpost-source-" + workspace.session()).unstarted(() -> run(request, answer));
        threads.add(thread);
        thread.start();
    }

    /** Nobody wants the answers any more. */
    void close() {
        isClosed = true;
        threads.forEach(Thread::interrupt);
    }

    private void run(long request, Callable<byte[]> answer) {
        try {
            send(request, answer.call());
        } catch (InterruptedException stopped) {
            // The session is over, and whoever ended it has said why.
        } catch (Exception | Error failed) {
            failed(request, failed);
        } finally {
            threads.remove(Thread.currentThread());
        }
    }

    private byte[] answered(SourceQuestion question) throws IOException {
        return switch (question) {
            case SourceQuestion.Open open ->
                workspace.machine().sources().open(open.uri()).index().encode();
            case SourceQuestion.ReadFile read ->
                workspace.machine().sources().open(read.uri(), read.version()).read(read.file());
            case SourceQuestion.Save _ -> throw new IllegalStateException("it is asked in its turn");
            case SourceQuestion.Progress _ -> workspace.loads().progress().encode();
            case SourceQuestion.Cancel _ -> {
                workspace.loads().cancel();
                yield new byte[0];
            }
        };
    }

    private void send(long request, byte[] answer) throws InterruptedException {
        int from = 0;
        do {
            int to = Math.min(answer.length, from + PIECE_BYTES);
            byte[] piece = Arrays.copyOfRange(answer, from, to);
            control.send(new Message.SourceAnswered(request, to == answer.length, piece).encode());
            from = to;
        } while (from < answer.length);
    }

    private void failed(long request, Throwable problem) {
        if (isClosed) {
            return;
        }
        if (!(problem instanceof IOException
                || problem instanceof OutpostException
                || problem instanceof IllegalArgumentException)) {
            workspace.machine().defects().report("a question about sources failed", problem);
        }
        try {
            control.send(new Message.SourceFailed(request, fault(problem)).encode());
        } catch (InterruptedException | OutpostException over) {
            // The session is over, and whoever ended it has said why.
        }
    }

    private static Fault fault(Throwable problem) {
        return switch (problem) {
            case OutpostException told -> Fault.of(told.kind(), told.getMessage());
            case IOException external -> Fault.of(FaultKind.EXTERNAL, text(external));
            case IllegalArgumentException wrong -> Fault.of(FaultKind.USER, text(wrong));
            default -> Fault.of(FaultKind.INTERNAL, "a question about sources failed: " + problem);
        };
    }

    private static String text(Exception problem) {
        return problem.getMessage() == null ? problem.toString() : problem.getMessage();
    }
}
