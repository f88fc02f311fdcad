package dev.outpost.provider.outpost;

import dev.outpost.channel.grant.Secrets;
import java.security.SecureRandom;

/** A token that this client has drawn. The backend and the machine get its hash; only the machine sees the token itself. */
record MachineToken(String text) {
    static MachineToken draw(SecureRandom random) {
        return new MachineToken(Secrets.draw(random));
    }

    String sha256() {
        return Secrets.sha256Hex(text);
    }

    @Override
    public String toString() {
        return "MachineToken[hidden]";
    }
}
