package dev.outpost.client.session;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.outpost.protocol.message.SessionKey;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.Base64;

/** The text of a session's key. */
public final class SessionKeys {
    private static final String PREFIX = "outpost-session-1.";

    private SessionKeys() {}

    public static String text(SessionKey key) {
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(key.toByteArray());
    }

    /** @throws OutpostException if the text is no key; the message does not contain the text, because it may be secret */
    public static SessionKey parse(String text) {
        String stripped = text.strip();
        try {
            if (stripped.startsWith(PREFIX)) {
                SessionKey key =
                        SessionKey.parseFrom(Base64.getUrlDecoder().decode(stripped.substring(PREFIX.length())));
                if (!key.getProvider().isEmpty() && !key.getOwner().isEmpty()) {
                    return key;
                }
            }
        } catch (InvalidProtocolBufferException | IllegalArgumentException failure) {
            throw refused(failure);
        }
        throw refused(null);
    }

    private static OutpostException refused(Exception failure) {
        return new OutpostException(
                FaultKind.USER,
                "attach: expected the text that RemoteMachine.sessionKey() returned, beginning with \"" + PREFIX
                        + "\"; this text is incomplete or another one",
                failure);
    }
}
