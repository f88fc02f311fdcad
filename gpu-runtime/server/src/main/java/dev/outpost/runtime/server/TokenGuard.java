package dev.outpost.runtime.server;

import dev.outpost.channel.rpc.RuntimeCalls;
import dev.outpost.channel.rpc.RuntimeGrpc;
import dev.outpost.runtime.session.grant.GrantAccount;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.quarkus.grpc.GlobalInterceptor;
import jakarta.inject.Singleton;
import java.util.Optional;

/**
 * Refuses calls without a valid token by their headers, before any message is read. The grant of an accepted call is {@link
 * #GRANT} in its context.
 */
@Singleton
@GlobalInterceptor
final class TokenGuard implements ServerInterceptor {
    /** The grant of a call. Absent for a call without a token over a socket of this host. */
    static final Context.Key<GrantAccount> GRANT = Context.key("outpost-grant");

    /**
     * The pairing method, which needs no token, because a new client has none, and proves that it knows the code that the machine shows.
     */
    private static final String PAIR = RuntimeGrpc.getPairMethod().getFullMethodName();

    private static final String MANAGE = RuntimeGrpc.getManageMethod().getFullMethodName();

    private final TokenAccess access;
    private final AuthFailureCounter authFailures;

    TokenGuard(TokenAccess access, AuthFailureCounter authFailures) {
        this.access = access;
        this.authFailures = authFailures;
    }

    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        if (call.getMethodDescriptor().getFullMethodName().equals(PAIR)) {
            return next.startCall(call, headers);
        }
        String text = headers.get(RuntimeCalls.AUTHORIZATION);
        Optional<GrantAccount> grant = access.find(text);
        if (grant.isEmpty()) {
            authFailures.count();
            return refuse(call, Status.UNAUTHENTICATED.withDescription(refusal(text)));
        }
        return admit(grant.get(), call, headers, next);
    }

    /** Returns the guard for a socket of this host, which gives a call without a token the owner's grant. */
    ServerInterceptor forSocket() {
        return new ServerInterceptor() {
            @Override
            public <Q, A> ServerCall.Listener<Q> interceptCall(
                    ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
                return headers.containsKey(RuntimeCalls.AUTHORIZATION)
                        ? TokenGuard.this.interceptCall(call, headers, next)
                        : admit(access.owner(), call, headers, next);
            }
        };
    }

    private <Q, A> ServerCall.Listener<Q> admit(
            GrantAccount grant, ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
        boolean manages = call.getMethodDescriptor().getFullMethodName().equals(MANAGE);
        if (manages && !access.mayManage(grant)) {
            return refuse(
                    call, Status.PERMISSION_DENIED.withDescription("the token is for sessions; it manages no grants"));
        }
        Context context = Context.current().withValue(GRANT, grant);
        Context previous = context.attach();
        try {
            return next.startCall(call, headers);
        } finally {
            context.detach(previous);
        }
    }

    private static <Q, A> ServerCall.Listener<Q> refuse(ServerCall<Q, A> call, Status why) {
        call.close(why, new Metadata());
        return new ServerCall.Listener<>() {};
    }

    private static String refusal(String text) {
        return text == null
                ? "the machine requires its token, but none was sent"
                : "the token is not valid for this machine, or no longer valid";
    }
}
