package dev.outpost.rest.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.rest.machine.EventView;
import dev.outpost.rest.machine.GpuView;
import dev.outpost.rest.machine.GrantRequest;
import dev.outpost.rest.machine.GrantView;
import dev.outpost.rest.machine.MachineRequest;
import dev.outpost.rest.machine.MachineView;
import dev.outpost.rest.machine.PlanRequest;
import dev.outpost.rest.machine.PlanView;
import dev.outpost.rest.machine.Sharing;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;

/** Calls about machines and their grants. */
public record MachinesApi(BackendClient client) {
    private static final String PATH = "/v1/machines";

    private static String path(String id) {
        return PATH + "/" + id;
    }

    /** Requests a machine by an id that the caller has drawn. May be repeated. */
    public MachineView put(String id, MachineRequest request) {
        return client.put(path(id), request, MachineView.class);
    }

    public MachineView find(String id) {
        return client.get(path(id), MachineView.class);
    }

    /** Returns the machine once it has a later version, or its present state after {@code atMost}. */
    public MachineView await(String id, long version, Duration atMost) {
        return client.get(
                new Query(path(id)).with("after", version).with("wait", atMost.toSeconds()), MachineView.class);
    }

    /** Returns the live machines and the machines that failed recently, the newest first. */
    public List<MachineView> list() {
        return client.all(new Query(PATH).with("failed", true), MachineView.class);
    }

    /** Returns the lines of a machine's log as they arrive. Closing the stream ends the request. */
    public InputStream logs(String id, boolean follow) {
        return client.open(new Query(path(id) + "/logs").with("follow", follow));
    }

    /** Returns the events of a machine, the oldest first. */
    public List<EventView> events(String id) {
        return client.all(new Query(path(id) + "/events"), EventView.class);
    }

    /** Ends a machine. May be repeated. */
    public void end(String id) {
        client.post(path(id) + ":end", null, JsonNode.class);
    }

    /** Returns the kinds of GPU that can be requested. */
    public List<GpuView> gpus() {
        return client.all(new Query("/v1/gpus"), GpuView.class);
    }

    /** Returns the decision about a request, without making a machine. */
    public PlanView plan(PlanRequest request) {
        return client.post(PATH + ":plan", request, PlanView.class);
    }

    /** Grants another token access to a machine. May be repeated. */
    public GrantView grant(String id, GrantRequest request) {
        return client.post(path(id) + "/grants", request, GrantView.class);
    }

    public List<GrantView> grants(String id) {
        return client.all(new Query(path(id) + "/grants"), GrantView.class);
    }

    public void revoke(String id, String tokenSha256) {
        client.delete(path(id) + "/grants/" + tokenSha256);
    }

    /** Returns whether a machine is exclusive or shared. */
    public Sharing sharing(String id) {
        return client.get(path(id) + "/sharing", Sharing.class);
    }

    public Sharing putSharing(String id, Sharing request) {
        return client.put(path(id) + "/sharing", request, Sharing.class);
    }
}
