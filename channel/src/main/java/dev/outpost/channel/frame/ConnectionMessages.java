package dev.outpost.channel.frame;

import com.google.protobuf.ByteString;
import dev.outpost.channel.Lane;
import dev.outpost.protocol.message.ConnectionMessage;
import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.Hello;
import dev.outpost.protocol.message.PeerText;
import dev.outpost.protocol.message.Protobuf;
import dev.outpost.protocol.message.Welcome;
import dev.outpost.types.MalformedException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/** Makes the messages that begin and end a connection, and reads the messages of a peer. */
public final class ConnectionMessages {
    /** The maximum length of a device name, in characters. */
    private static final int MAX_OF_A_NAME = 256;

    private static final int UUID_BYTES = 16;

    private ConnectionMessages() {}

    // ---- hello

    /** @param received the last data frame that the client has, by lane number */
    public static Hello hello(UUID session, boolean resume, long[] received, ProtocolVersions versions) {
        ByteBuffer name = ByteBuffer.allocate(UUID_BYTES)
                .putLong(session.getMostSignificantBits())
                .putLong(session.getLeastSignificantBits());
        return Hello.newBuilder()
                .setSession(ByteString.copyFrom(name.flip()))
                .setResume(resume)
                .addAllReceived(boxed(received))
                .setVersions(versions.versions())
                .addAllFeatures(versions.features().stream().sorted().toList())
                .build();
    }

    /** Returns the session's id in a hello. */
    public static UUID session(Hello hello) {
        ByteBuffer name = hello.getSession().asReadOnlyByteBuffer();
        return new UUID(name.getLong(), name.getLong());
    }

    /** Returns the last data frame that the client has, by lane number. */
    public static long[] received(Hello hello) {
        return unboxed(hello.getReceivedList());
    }

    // ---- welcome

    /**
     * @param received the last data frame that the runtime has, by lane number
     * @param device the name of the device, for people
     */
    public static Welcome welcome(
            long[] received, long leaseMillis, long quotaBytes, String device, NegotiatedProtocol negotiated) {
        return Welcome.newBuilder()
                .addAllReceived(boxed(received))
                .setLeaseMillis(leaseMillis)
                .setQuotaBytes(quotaBytes)
                .setDevice(device)
                .setVersion(negotiated.version())
                .addAllFeatures(negotiated.features().stream().sorted().toList())
                .build();
    }

    /** Returns the last data frame that the runtime has, by lane number. */
    public static long[] received(Welcome welcome) {
        return unboxed(welcome.getReceivedList());
    }

    // ---- end

    /** Makes the message that ends a connection because of a failure. */
    public static End end(Fault fault) {
        return end(fault, End.Cause.FAILED);
    }

    public static End end(Fault fault, End.Cause cause) {
        return End.newBuilder().setFault(fault).setCause(cause).build();
    }

    // ---- reading

    /** Reads a message, checks it, and cleans the texts that people will read. */
    static ConnectionMessage read(byte[] bytes) {
        ConnectionMessage message = Protobuf.parse(ConnectionMessage.parser(), bytes, "a frame");
        return switch (message.getKindCase()) {
            case HELLO -> {
                check(message.getHello());
                yield message;
            }
            case WELCOME ->
                ConnectionMessage.newBuilder()
                        .setWelcome(clean(message.getWelcome()))
                        .build();
            case END ->
                ConnectionMessage.newBuilder().setEnd(clean(message.getEnd())).build();
            case KIND_NOT_SET -> throw new MalformedException("a frame has no content that this side knows");
        };
    }

    private static void check(Hello hello) {
        if (hello.getSession().size() != UUID_BYTES) {
            throw new MalformedException("a session's name takes " + UUID_BYTES + " bytes, got "
                    + hello.getSession().size());
        }
        checkReceived(hello.getReceivedList());
    }

    private static Welcome clean(Welcome welcome) {
        checkReceived(welcome.getReceivedList());
        checkAmount("lease", welcome.getLeaseMillis());
        checkAmount("quota", welcome.getQuotaBytes());
        return welcome.toBuilder()
                .setDevice(PeerText.clean(welcome.getDevice(), MAX_OF_A_NAME))
                .build();
    }

    private static End clean(End end) {
        return end.toBuilder().setFault(FaultMessages.clean(end.getFault())).build();
    }

    private static void checkReceived(List<Long> received) {
        if (received.size() != Lane.ALL.size()) {
            throw new MalformedException(
                    "expected a frame number for each of " + Lane.ALL.size() + " lanes, got " + received.size());
        }
        received.forEach(number -> checkAmount("frame number", number));
    }

    private static void checkAmount(String what, long amount) {
        if (amount < 0) {
            throw new MalformedException("a " + what + " is out of range: " + Long.toUnsignedString(amount));
        }
    }

    private static List<Long> boxed(long[] numbers) {
        return Arrays.stream(numbers).boxed().toList();
    }

    private static long[] unboxed(List<Long> numbers) {
        return numbers.stream().mapToLong(Long::longValue).toArray();
    }
}
