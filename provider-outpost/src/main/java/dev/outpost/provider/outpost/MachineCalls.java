package dev.outpost.provider.outpost;

import dev.outpost.channel.Trust;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.provider.Endpoint;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.ProgramPackage;
import dev.outpost.provider.SharedAccess;
import dev.outpost.provider.support.MonotonicProgress;
import dev.outpost.provider.support.Owner;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.BackendException;
import dev.outpost.rest.client.FileUpload;
import dev.outpost.rest.client.MachinesApi;
import dev.outpost.rest.client.ProgramsApi;
import dev.outpost.rest.deployment.ProgramRequest;
import dev.outpost.rest.machine.GrantRequest;
import dev.outpost.rest.machine.MachineRequest;
import dev.outpost.rest.machine.MachineView;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;

/** The calls to a backend about one machine. */
record MachineCalls(BackendClient client, String id) {
    private static final Duration WAIT = Duration.ofSeconds(30);

    private MachinesApi machines() {
        return new MachinesApi(client);
    }

    RemoteState put(MachineRequest request) {
        return new RemoteState(client.persist(() -> machines().put(id, request)));
    }

    RemoteState find() {
        return new RemoteState(client.persist(() -> machines().find(id)));
    }

    /** Waits until the machine has a later version, at most for a while, and returns its state. */
    RemoteState after(long version) {
        return new RemoteState(machines().await(id, version, WAIT));
    }

    private RemoteState next(RemoteState state) {
        return client.persist(() -> after(state.version()));
    }

    /** Waits until the machine is ready and reports the progress. Fails with the machine's own message if it has ended. */
    RemoteState awaitReady(RemoteState first, MonotonicProgress steps) {
        RemoteState state = first;
        while (!state.isReady()) {
            requireLive(state);
            steps.report(state.phase(), state.sentence());
            state = next(state);
        }
        return state;
    }

    void requireLive(RemoteState state) {
        if (state.isOver()) {
            throw new BackendException("ended", "machine " + id + " has ended: " + state.sentence(), false);
        }
    }

    /** Grants a token access, and waits until the machine has the grant. */
    void grant(MachineToken token, String owner, MonotonicProgress steps) {
        steps.report(MachinePhase.CONNECTING, "the machine is informed of this client");
        grant(token, owner, GrantTerms.ALL);
    }

    void grant(MachineToken token, String owner, GrantTerms terms) {
        GrantRequest request = GrantRequest.of(token.sha256(), owner, terms);
        client.persist(() -> machines().grant(id, request));
        RemoteState state = find();
        while (!fetchTold(token)) {
            requireLive(state);
            state = next(state);
        }
    }

    /** Draws a token for another user and grants it access. */
    SharedAccess share(GrantTerms terms, SecureRandom random) {
        MachineToken token = MachineToken.draw(random);
        grant(token, "shared by " + Owner.ofThisProcess(), terms);
        return new SharedAccess(token.sha256(), endpoint(find(), token), terms);
    }

    /** Publishes a program in the project of this machine, for GPUs like its own. */
    void publish(ProgramPackage program) {
        MachineView machine = find().view();
        new ProgramsApi(client)
                .put(
                        program.name(),
                        new ProgramRequest(
                                machine.project(),
                                FileUpload.send(client, program.file()),
                                machine.gpu(),
                                program.inputs(),
                                program.outputs(),
                                program.maxRows(),
                                null,
                                null,
                                null,
                                null));
    }

    private boolean fetchTold(MachineToken token) {
        return client.persist(() -> machines().grants(id)).stream()
                .anyMatch(grant -> grant.tokenSha256().equals(token.sha256()) && grant.told());
    }

    void revoke(MachineToken token) {
        revoke(token.sha256());
    }

    void revoke(String tokenSha256) {
        machines().revoke(id, tokenSha256);
    }

    void end() {
        machines().end(id);
    }

    static Endpoint.Remote endpoint(RemoteState state, MachineToken token) {
        MachineView.EndpointView endpoint = state.view().endpoint();
        if (endpoint == null) {
            throw new BackendException(
                    "malformed", "machine " + state.view().id() + " is ready without an address", false);
        }
        return new Endpoint.Remote(
                endpoint.host(),
                endpoint.port(),
                new Trust.Pin(endpoint.certificate()),
                token.text(),
                Optional.ofNullable(endpoint.serverName()));
    }
}
