package dev.outpost.client.session;

import dev.outpost.client.numbers.RandomStream;
import dev.outpost.client.program.ProgramCalled;
import dev.outpost.client.program.ProgramRun;
import dev.outpost.client.program.RemoteProgram;
import dev.outpost.client.program.RemoteScan;
import dev.outpost.client.record.MemoryAccount;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.start.StartSpec;
import dev.outpost.client.transfer.ElementSource;
import dev.outpost.client.waits.SessionSettings;
import dev.outpost.explain.Explanation;
import dev.outpost.protocol.message.PeerQuestion;
import dev.outpost.protocol.op.Literal;
import dev.outpost.protocol.op.Upload;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** Records for one machine, whose sessions follow each other. Recording begins at once; the machine may be ready later. Thread-safe. */
public final class SessionRecorder extends MachineRecorder {
    private final StartSpec start;
    private volatile MachineSession session;

    /**
     * Begins recording, and asks for the machine.
     *
     * @param name the machine's name in logs and errors
     * @param random the stream that random tensors draw from
     * @param start the start of the machine
     * @param isScoped returns true if a scope frees the tensors of the calling thread, so that they never wait for the collector
     */
    public SessionRecorder(
            String name, SessionSettings settings, RandomStream random, StartSpec start, BooleanSupplier isScoped) {
        super(name, settings, random, isScoped);
        this.start = start;
        restart();
    }

    @Override
    protected MachineSession session() {
        return session;
    }

    @Override
    public void restart() {
        MemoryAccount account = new MemoryAccount();
        MachineSession before = session;
        MachineSession next = new MachineSession(name, settings, start, recording, account);
        if (before != null) {
            next.restarts("in place of a machine that is lost");
        }
        begin(next, next.delivery(), account);
        session = next;
        next.begin();
    }

    @Override
    public RemoteValue upload(TensorType type, ElementSource elements) {
        MachineSession machineSession = session;
        machineSession.awaitRoom();
        if (type.bytes() <= Literal.MAX_BYTES) {
            byte[] all = new byte[(int) type.bytes()];
            elements.read(0, all, 0, all.length);
            RemoteValue literal = recording.record(new Literal(type, all), type, machineSession);
            runIfEager(literal);
            return literal;
        }
        long upload = machineSession.nextUpload();
        RemoteValue value = recording.record(new Upload(type, upload), type, machineSession);
        try {
            machineSession.upload(upload, type, elements);
        } catch (OutpostException failure) {
            value.abandon();
            throw failure;
        }
        runIfEager(value);
        return value;
    }

    @Override
    public ProgramCalled run(ProgramRun run, RemoteScan scan) {
        scan.begin();
        return calls.run(run, scan);
    }

    @Override
    public void drop(RemoteProgram program) {
        if (!session.isOver()) {
            calls.drop(program);
        }
    }

    @Override
    public Optional<Explanation> explain(RemoteProgram program) {
        MachineSession machineSession = session;
        machineSession.requireRunning();
        return machineSession.waits().awaitLatest(() -> machineSession.sender().asking(() -> queries.explain(program)));
    }

    /**
     * Asks about the machines with which this machine exchanges values. Waits until the machine is ready, but not for
     * its answer.
     */
    public CompletableFuture<byte[]> askPeers(PeerQuestion question) {
        MachineSession machineSession = session;
        machineSession.awaitReady();
        return machineSession.askPeers(question);
    }

    @Override
    public void close() {
        session.close();
    }
}
