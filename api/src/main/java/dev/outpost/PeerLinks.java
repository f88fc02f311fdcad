package dev.outpost;

import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.client.program.Recorder;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.TensorDevice;
import dev.outpost.internal.TensorScope;
import dev.outpost.protocol.message.PeerQuestion;
import dev.outpost.protocol.op.Collective;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * Connections between machines that send values directly from one machine to another. The machines stay separate, each with its own
 * program. A {@link MachineGroup}, in contrast, computes one program on all its machines.
 *
 * <pre>{@code
 * try (var links = PeerLinks.open(List.of(first, second))) {
 *     Tensor hidden = links.send(firstLayer.forward(x), second);     // does not wait, and does not pass this program
 *     System.out.println(secondLayer.forward(hidden).item());
 * }
 * }</pre>
 *
 * <p>Values arrive in the order in which they were sent. If a value was lost, its counterpart on the other machine is lost with the
 * same fault. If a machine is lost, all pending exchanges fail, and the program must open new links. A machine belongs to one set of
 * links, or one group, at a time. Threads may share the links. If several threads record ops for one machine, the order of their {@link
 * #send} calls is kept only if each thread calls {@code send} directly after it recorded the value.
 */
public final class PeerLinks implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofMinutes(5);
    private static final Duration SET_UP = Duration.ofSeconds(20);

    /** The time by which connecting may exceed the timeout, up to {@link #SET_UP} in total. */
    private static final Duration LEAST_SET_UP = Duration.ofSeconds(2);

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int KEY_BYTES = 32;
    /** An address begins with {@code tls3 HOST PORT HASH}; the number is the protocol version of the connection. */
    private static final Pattern SCHEME = Pattern.compile("tls\\d*");

    private static final int HOST = 1;

    private final List<RemoteMachine> machines;
    private final long program = RANDOM.nextLong();
    private final String name = UUID.randomUUID().toString();
    private long lastNumber;
    private boolean isClosed;

    private PeerLinks(List<RemoteMachine> machines) {
        this.machines = List.copyOf(machines);
    }

    /**
     * Like {@link #open(List, List, Duration)}, but with the addresses that the machines report and a timeout of five
     * minutes.
     */
    public static PeerLinks open(List<RemoteMachine> machines) {
        return open(
                machines,
                machines.stream().map(each -> Optional.<String>empty()).toList(),
                TIMEOUT);
    }

    /**
     * Connects machines with each other, and waits until they are connected.
     *
     * @param machines two or more machines with separate sessions
     * @param hosts for each machine, the host name that the others use; if empty, they use the one that the machine reports
     * @param timeout the time that a machine waits for a value of another machine; connecting takes at most 2 seconds
     *     more, and at most 20 seconds
     * @throws OutpostException of kind external if the machines do not reach each other
     */
    public static PeerLinks open(List<RemoteMachine> machines, List<Optional<String>> hosts, Duration timeout) {
        ArgumentChecks.required(machines, "the machines");
        if (machines.size() < 2 || machines.size() != hosts.size() || machines.size() > Collective.MAX_MEMBERS) {
            throw new IllegalArgumentException("links: expected 2 to " + Collective.MAX_MEMBERS
                    + " machines and a host for each, got " + machines.size() + " and " + hosts.size());
        }
        PeerLinks links = new PeerLinks(machines);
        boolean isOpen = false;
        try {
            links.connect(hosts, timeout);
            isOpen = true;
            return links;
        } finally {
            if (!isOpen) {
                links.close();
            }
        }
    }

    private void connect(List<Optional<String>> hosts, Duration timeout) {
        byte[] key = new byte[KEY_BYTES];
        RANDOM.nextBytes(key);
        List<CompletableFuture<byte[]>> opened = new ArrayList<>();
        for (int rank = 0; rank < machines.size(); rank++) {
            opened.add(ask(rank, opening(HexFormat.of().formatHex(key), rank)));
        }
        Duration setUp = setUp(timeout);
        List<byte[]> addresses = await(opened, setUp);
        PeerQuestion.Join.Builder join = PeerQuestion.Join.newBuilder().setPatienceMillis(timeout.toMillis());
        for (int rank = 0; rank < machines.size(); rank++) {
            join.addAddresses(address(addresses.get(rank), hosts.get(rank)));
        }
        PeerQuestion question = PeerQuestion.newBuilder().setJoin(join).build();
        List<CompletableFuture<byte[]>> joined = new ArrayList<>();
        for (int rank = 0; rank < machines.size(); rank++) {
            joined.add(ask(rank, question));
        }
        await(joined, setUp);
    }

    private static Duration setUp(Duration timeout) {
        Duration wanted = timeout.plus(LEAST_SET_UP);
        return wanted.compareTo(SET_UP) < 0 ? wanted : SET_UP;
    }

    private PeerQuestion opening(String key, int rank) {
        return PeerQuestion.newBuilder()
                .setOpen(PeerQuestion.Open.newBuilder()
                        .setGroup(name)
                        .setKey(key)
                        .setRank(rank)
                        .setSize(machines.size()))
                .build();
    }

    /**
     * Returns the address that a machine reported, with its host replaced if one is given. Drops the lines about its GPU: GPUs need the
     * same order of exchanges on all machines, and separate programs do not guarantee it.
     */
    static String address(byte[] said, Optional<String> host) {
        String text =
                new String(said, StandardCharsets.UTF_8).lines().findFirst().orElse("");
        String[] words = text.split(" ", -1);
        if (host.isEmpty() || words.length <= HOST || !SCHEME.matcher(words[0]).matches()) {
            return text;
        }
        words[HOST] = host.get();
        return String.join(" ", words);
    }

    private CompletableFuture<byte[]> ask(int rank, PeerQuestion question) {
        return machines.get(rank).askPeers(question);
    }

    private static List<byte[]> await(List<CompletableFuture<byte[]>> answers, Duration setUp) {
        try {
            CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                    .get(setUp.toMillis(), TimeUnit.MILLISECONDS);
            return answers.stream().map(CompletableFuture::join).toList();
        } catch (ExecutionException | CompletionException failure) {
            Throwable cause = failure.getCause();
            throw new OutpostException(
                    FaultKind.EXTERNAL, "links: the machines do not reach each other: " + cause.getMessage(), cause);
        } catch (TimeoutException timeout) {
            throw new OutpostException(
                    FaultKind.EXTERNAL, "links: the machines do not reach each other within " + setUp, timeout);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new OutpostException(FaultKind.USER, "links: interrupted while machines connect", interrupted);
        }
    }

    /**
     * Sends a value to another machine. Does not wait: the value is sent when it has been computed, and ops on the target that use it
     * run after it has arrived. No gradient flows back.
     *
     * @param value a value on one of the machines
     * @param target the machine that receives the value
     * @return the value on the target; the caller closes it
     */
    public synchronized Tensor send(Tensor value, RemoteMachine target) {
        if (isClosed) {
            throw new OutpostException(FaultKind.USER, "links: send was called after close");
        }
        int from = rank(ArgumentChecks.required(value, "the value").machine());
        int to = rank(target);
        if (from == to) {
            return value.detach();
        }
        List<Integer> members = List.of(from, to);
        long number = ++lastNumber;
        TensorType type = value.type();
        return TensorScope.unscoped(() -> {
            TensorType nothing = new TensorType(type.dtype(), Shape.of(0));
            try (Tensor plain = value.detach();
                    Tensor sent = Dispatch.apply(exchange(Collective.Fn.SEND, nothing, members, number), plain)) {
                endSegment(sent.machine());
            }
            return Dispatch.make(TensorDevice.of(target), exchange(Collective.Fn.RECEIVE, type, members, number));
        });
    }

    /**
     * Sends a value to another machine and returns a handle that reports the arrival. Does not wait.
     *
     * @param value a value on one of the machines
     * @param target the machine that receives the value
     */
    public Transfer transfer(Tensor value, RemoteMachine target) {
        Tensor there = send(value, target);
        return new Transfer(there, TensorScope.unscoped(() -> {
            try (Tensor flat = there.reshape(-1);
                    Tensor first = flat.narrow(0, 0, Math.min(1, flat.numel()))) {
                return first.fetch();
            }
        }));
    }

    private Collective exchange(Collective.Fn fn, TensorType type, List<Integer> members, long number) {
        return new Collective(fn, type, members, Optional.empty(), Optional.empty(), number, program);
    }

    /** Ends the segment now, because the receiver waits for a value in it. */
    private static void endSegment(RemoteMachine machine) {
        Recorder recorder = TensorDevice.of(machine).recorder();
        recorder.endSegment();
    }

    private int rank(RemoteMachine machine) {
        int rank = machines.indexOf(machine);
        if (rank < 0) {
            throw new IllegalArgumentException(
                    "links: " + machine.name() + " is none of the " + machines.size() + " machines that are connected");
        }
        return rank;
    }

    /** Ends the connections. Does not wait. Values that have not arrived yet fail. The machines stay open. */
    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        PeerQuestion leave = PeerQuestion.newBuilder()
                .setLeave(PeerQuestion.Leave.newBuilder().setGroup(name))
                .build();
        for (int rank = 0; rank < machines.size(); rank++) {
            try {
                ask(rank, leave);
            } catch (OutpostException ignored) {
                // A lost machine has left its connections already.
            }
        }
    }
}
