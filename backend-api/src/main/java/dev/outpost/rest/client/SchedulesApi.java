package dev.outpost.rest.client;

import dev.outpost.rest.job.ScheduleRequest;
import dev.outpost.rest.job.ScheduleView;
import java.util.List;

/** Calls about schedules, which make jobs at given times. */
public record SchedulesApi(BackendClient client) {
    private static final String PATH = "/v1/schedules";

    public List<ScheduleView> list() {
        return client.all(new Query(PATH), ScheduleView.class);
    }

    public ScheduleView put(String name, ScheduleRequest request) {
        return client.put(Query.path(PATH, name), request, ScheduleView.class);
    }

    public void remove(String name) {
        client.delete(Query.path(PATH, name));
    }
}
