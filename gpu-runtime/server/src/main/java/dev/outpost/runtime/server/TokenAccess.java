package dev.outpost.runtime.server;

import dev.outpost.channel.grant.GrantTerms.Role;
import dev.outpost.channel.grant.Secrets;
import dev.outpost.channel.rpc.RuntimeCalls;
import dev.outpost.runtime.session.grant.GrantAccount;
import dev.outpost.runtime.session.grant.GrantRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the grant of a call by its token. It is the grant of the machine's owner, or another grant. */
final class TokenAccess {
    private final OwnerToken ownerToken;
    private final GrantRegistry grants;
    private final @Nullable GrantsFile file;

    private TokenAccess(OwnerToken ownerToken, GrantRegistry grants, @Nullable GrantsFile file) {
        this.ownerToken = ownerToken;
        this.grants = grants;
        this.file = file;
    }

    /** @param file the file with grants in addition to that of the owner, or null */
    static TokenAccess of(OwnerToken ownerToken, GrantRegistry grants, @Nullable Path file) throws IOException {
        return new TokenAccess(ownerToken, grants, file == null ? null : GrantsFile.open(file, grants));
    }

    /**
     * Returns the valid grant of a call.
     *
     * @param authorization the authorization header, which may be absent
     */
    Optional<GrantAccount> find(String authorization) {
        if (ownerToken.matches(authorization)) {
            return Optional.of(grants.owner());
        }
        if (authorization == null || !authorization.startsWith(RuntimeCalls.BEARER)) {
            return Optional.empty();
        }
        refresh();
        return grants.find(Secrets.sha256(authorization.substring(RuntimeCalls.BEARER.length())));
    }

    /** Reads the file if it has changed. Sessions whose grants were removed end. */
    void refresh() {
        if (file != null) {
            file.refreshOrKeep();
        }
    }

    /** True if a grant allows management, as the owner's grant does. */
    boolean mayManage(GrantAccount grant) {
        return grant == grants.owner() || grant.terms().role() == Role.MANAGE;
    }

    /** Returns the grant of callers that need no token. */
    GrantAccount owner() {
        return grants.owner();
    }
}
