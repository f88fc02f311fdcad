package dev.outpost.provider.outpost;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.channel.grant.GrantTerms;
import dev.outpost.provider.Endpoint;
import dev.outpost.provider.ProgramPackage;
import dev.outpost.provider.ProvisioningStep.Phase;
import dev.outpost.provider.SharedAccess;
import dev.outpost.provider.support.Owner;
import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The calls to a backend about one machine. */
record MachineCalls(BackendClient client, String id) {
    private static final int WAIT_SECONDS = 30;

    private String path() {
        return "/v1/machines/" + id;
    }

    RemoteState put(Map<String, Object> body) {
        return new RemoteState(client.persist(it -> it.put(path(), body)));
    }

    RemoteState find() {
        return new RemoteState(client.persist(it -> it.get(path())));
    }

    /** The machine once it is of a later version, or as it is after a while. */
    RemoteState after(long version) {
        return new RemoteState(it(version));
    }

    private JsonNode it(long version) {
        return client.get(path() + "?after=" + version + "&wait=" + WAIT_SECONDS);
    }

    /** Waits until it is ready, and tells what it waits for; fails with its own words where it has ended. */
    RemoteState awaitReady(RemoteState first, StartSteps steps) {
        RemoteState state = first;
        while (!state.isReady()) {
            requireLive(state);
            steps.report(state.phase(), state.sentence());
            long version = state.version();
            state = new RemoteState(client.persist(it -> it(version)));
        }
        return state;
    }

    void requireLive(RemoteState state) {
        if (state.isOver()) {
            throw new BackendException("ended", "machine " + id + " has ended: " + state.sentence(), false);
        }
    }

    /** Lets a token open it, and waits until the machine knows. */
    void grant(MachineToken token, String owner, StartSteps steps) {
        steps.report(Phase.CONNECTING, "the machine is told of this client");
        grant(token, owner, GrantTerms.ALL);
    }

    /** The same with terms. */
    void grant(MachineToken token, String owner, GrantTerms terms) {
        Map<String, Object> body = new TreeMap<>(Map.of("tokenSha256", token.sha256(), "owner", owner));
        terms.memoryBytes().ifPresent(bytes -> body.put("memoryBytes", bytes));
        terms.sessions().ifPresent(max -> body.put("sessions", max));
        terms.expires().ifPresent(end -> body.put("expires", end.toString()));
        if (!terms.equals(GrantTerms.ALL)) {
            body.put("weight", terms.weight());
            body.put("role", terms.role().name());
        }
        client.persist(it -> it.post(path() + "/grants", body));
        RemoteState state = find();
        while (!fetchTold(token)) {
            requireLive(state);
            long version = state.version();
            state = new RemoteState(client.persist(it -> it(version)));
        }
    }

    /** Draws a token for somebody else. */
    SharedAccess share(GrantTerms terms, SecureRandom random) {
        MachineToken token = MachineToken.draw(random);
        grant(token, "shared by " + Owner.ofThisProcess(), terms);
        return new SharedAccess(token.sha256(), endpoint(find(), token), terms);
    }

    /** Publishes a program in the project of this machine, for GPUs like its own. */
    void publish(ProgramPackage program) {
        RemoteState state = find();
        Map<String, Object> body = new TreeMap<>();
        body.put("project", state.project());
        body.put("gpu", state.gpu());
        body.put("file", FileUpload.send(client, program.file()));
        body.put("inputs", program.inputs());
        body.put("outputs", program.outputs());
        body.put("mostRows", program.maxRows());
        client.put("/v1/programs/" + program.name(), body);
    }

    private boolean fetchTold(MachineToken token) {
        Optional<String> cursor = Optional.empty();
        do {
            String path = BackendClient.path(path() + "/grants", Map.of("cursor", cursor));
            JsonNode page = client.persist(it -> it.get(path));
            for (JsonNode grant : page.path("items")) {
                if (grant.path("tokenSha256").asText().equals(token.sha256())) {
                    return grant.path("told").asBoolean();
                }
            }
            cursor = Optional.ofNullable(page.path("next").textValue());
        } while (cursor.isPresent());
        return false;
    }

    void revoke(MachineToken token) {
        revoke(token.sha256());
    }

    void revoke(String tokenSha256) {
        client.delete(path() + "/grants/" + tokenSha256);
    }

    void end() {
        client.post(path() + ":end", Map.of());
    }

    static Endpoint.Remote endpoint(RemoteState state, MachineToken token) {
        return new Endpoint.Remote(state.host(), state.port(), state.certificate(), token.text(), state.serverName());
    }
}
