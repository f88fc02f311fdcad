package dev.outpost.runtime.session;

import com.google.protobuf.UnsafeByteOperations;
import dev.outpost.channel.delivery.ReliableLane;
import dev.outpost.protocol.bytes.ByteWriter;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.SaveRequest;
import dev.outpost.protocol.message.SourceAnswered;
import dev.outpost.protocol.message.SourceFailed;
import dev.outpost.protocol.message.SourceQuestion;
import dev.outpost.protocol.message.SourceRequest;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.session.run.LazyElements;
import dev.outpost.runtime.session.run.SessionContext;
import dev.outpost.runtime.session.run.Value;
import dev.outpost.runtime.source.OpenSource;
import dev.outpost.runtime.source.SourceNotFoundException;
import dev.outpost.runtime.source.TensorSaves;
import dev.outpost.types.FaultCode;
import dev.outpost.types.FaultKind;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OutpostException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Answers a client's questions about sources. Stores may be slow, so a virtual thread answers each question, and
 * neither the network nor the worker thread waits for it.
 */
final class SourceAnswers {
    private static final int MAX_AT_ONCE = 32;
    private static final int PIECE_BYTES = 256 << 10;

    private final SessionContext context;
    private final ReliableLane control;
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;

    SourceAnswers(SessionContext context, ReliableLane control) {
        this.context = context;
        this.control = control;
    }

    /** Starts to answer. Does not wait for the answer. */
    void answer(SourceRequest ask) {
        start(ask.getRequest(), () -> answered(ask.getQuestion()));
    }

    /** Starts to save values of the session. Called in the order of the messages. The values are held until the save is done. */
    void save(SaveRequest save) {
        SequencedMap<String, Value.Present> held = new LinkedHashMap<>();
        for (SaveRequest.NamedValue each : save.getValuesList()) {
            switch (context.values().get(each.getValue())) {
                case Value.Present present -> hold(each.getName(), present, held);
                case Value.Poisoned poisoned -> {
                    held.values().forEach(Value::release);
                    failed(save.getRequest(), FaultMessages.exception(poisoned.fault()));
                    return;
                }
                case LazyElements lazyElements -> throw new IllegalStateException(lazyElements + " was not computed");
            }
        }
        start(save.getRequest(), () -> {
            try {
                return saved(save, held);
            } finally {
                held.values().forEach(Value::release);
            }
        });
    }

    private static void hold(String name, Value.Present value, SequencedMap<String, Value.Present> held) {
        Value.Present other = held.put(name, value.retain());
        if (other != null) {
            other.release();
        }
    }

    private byte[] saved(SaveRequest save, SequencedMap<String, Value.Present> held)
            throws IOException, InterruptedException {
        SequencedMap<String, Array> arrays = new LinkedHashMap<>();
        held.forEach((name, value) -> arrays.put(name, value.array()));
        SequencedMap<String, byte[]> files = new LinkedHashMap<>();
        save.getFilesList()
                .forEach(file -> files.put(file.getPath(), file.getContent().toByteArray()));
        ByteWriter answer = new ByteWriter();
        answer.varint(new TensorSaves(context.runtime().sources(), context.engine())
                .save(save.getUri(), arrays, files, Math.max(1, save.getShardBytes()), save.getStem()));
        return answer.toByteArray();
    }

    /** Starts to answer a request of the worker. Does not wait for the answer. */
    void answer(long request, Callable<byte[]> answer) {
        start(request, answer);
    }

    /** Answers a request of the worker in this thread. */
    void answerNow(long request, Callable<byte[]> answer) throws InterruptedException {
        try {
            send(request, answer.call());
        } catch (InterruptedException interrupted) {
            throw interrupted;
        } catch (Exception | Error failure) {
            failed(request, failure);
        }
    }

    /** Sends messages before the next answer. */
    void send(List<Message> messages) throws InterruptedException {
        for (Message message : messages) {
            control.send(message.encode());
        }
    }

    /** Fails a request of the worker. */
    void refuse(long request, OutpostException reason) {
        failed(request, reason);
    }

    private void start(long request, Callable<byte[]> answer) {
        if (threads.size() >= MAX_AT_ONCE) {
            throw new MalformedException("over " + MAX_AT_ONCE + " questions about sources at once");
        }
        Thread thread =
                Thread.ofVirtual().name("outpost-source-" + context.session()).unstarted(() -> run(request, answer));
        threads.add(thread);
        thread.start();
    }

    /** Interrupts the threads and drops their answers. */
    void close() {
        isClosed = true;
        threads.forEach(Thread::interrupt);
    }

    private void run(long request, Callable<byte[]> answer) {
        try {
            send(request, answer.call());
        } catch (InterruptedException interrupted) {
            // The session has ended, and its client has received the reason.
        } catch (Exception | Error failure) {
            failed(request, failure);
        } finally {
            threads.remove(Thread.currentThread());
        }
    }

    private byte[] answered(SourceQuestion question) throws IOException {
        return switch (question.getKindCase()) {
            case OPEN ->
                context.runtime()
                        .sources()
                        .open(question.getOpen().getUri())
                        .index()
                        .encode(question.getOpen().getWithSkipped());
            case READ_FILE -> file(question.getReadFile());
            case PROGRESS -> context.loads().progress().encode();
            case CANCEL -> {
                context.loads().cancel();
                yield new byte[0];
            }
            case DELETE -> {
                context.runtime().sources().delete(question.getDelete().getUri());
                yield new byte[0];
            }
            case KIND_NOT_SET -> throw new IllegalArgumentException("this machine does not know the question");
        };
    }

    private byte[] file(SourceQuestion.ReadFile read) throws IOException {
        OpenSource source = context.runtime().sources().open(read.getUri(), read.getVersion());
        return read.getBytes() == 0
                ? source.read(read.getFile())
                : source.read(read.getFile(), read.getOffset(), read.getBytes());
    }

    private void send(long request, byte[] answer) throws InterruptedException {
        int from = 0;
        do {
            int to = Math.min(answer.length, from + PIECE_BYTES);
            SourceAnswered piece = SourceAnswered.newBuilder()
                    .setRequest(request)
                    .setLast(to == answer.length)
                    .setPiece(UnsafeByteOperations.unsafeWrap(answer, from, to - from))
                    .build();
            control.send(ToClient.Reply.of(piece).encode());
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
            context.runtime().internalErrorLog().report("a question about sources failed", problem);
        }
        try {
            SourceFailed failed = SourceFailed.newBuilder()
                    .setRequest(request)
                    .setFault(fault(problem))
                    .build();
            control.send(ToClient.Reply.of(failed).encode());
        } catch (InterruptedException | OutpostException ignored) {
            // The session has ended, and its client has received the reason.
        }
    }

    private static Fault fault(Throwable problem) {
        return switch (problem) {
            case OutpostException told -> FaultMessages.of(told);
            case SourceNotFoundException missing ->
                FaultMessages.of(FaultKind.EXTERNAL, FaultCode.NOT_FOUND, text(missing));
            case IOException external -> FaultMessages.of(FaultKind.EXTERNAL, text(external));
            case IllegalArgumentException wrong -> FaultMessages.of(FaultKind.USER, text(wrong));
            default -> FaultMessages.of(FaultKind.INTERNAL, "a question about sources failed: " + problem);
        };
    }

    private static String text(Exception problem) {
        return problem.getMessage() == null ? problem.toString() : problem.getMessage();
    }
}
