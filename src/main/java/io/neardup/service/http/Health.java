package io.neardup.service.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.service.lifecycle.RestoreStatus;
import io.neardup.service.lifecycle.ServiceStatus;
import io.neardup.service.migration.MigrationSourceStatus;
import io.neardup.service.migration.SeedingStatus;
import java.util.Locale;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers probes: 200, or 503 with the reason. */
final class Health {
    static final String LIVE = "/health/live";
    static final String READY = "/health/ready";

    private final Supplier<ServiceStatus> status;

    Health(Supplier<ServiceStatus> status) {
        this.status = status;
    }

    /** Whether the process is of use, or should be started anew. */
    Handler live() {
        return new Answer() {
            @Override
            boolean isWell(ServiceStatus now) {
                return now.isLive();
            }
        };
    }

    /** Whether it decides documents of all its partitions. */
    Handler ready() {
        return new Answer() {
            @Override
            boolean isWell(ServiceStatus now) {
                return now.isReady();
            }
        };
    }

    /** What an instance is at, for people and programs. */
    static ObjectNode json(ServiceStatus status) {
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("state", status.phase().name().toLowerCase(Locale.ROOT))
                .put("tasks", status.tasks());
        if (status.phase() != ServiceStatus.Phase.STARTING) {
            json.put("brokersAnswer", status.brokersAnswer());
        }
        RestoreStatus restore = status.restore();
        if (restore.partitions() > 0) {
            ObjectNode left = json.putObject("restoring")
                    .put("partitions", restore.partitions())
                    .put("recordsLeft", restore.recordsLeft())
                    .put("recordsPerSecond", restore.recordsPerSecond());
            if (restore.secondsLeft() >= 0) {
                left.put("secondsLeft", restore.secondsLeft());
            }
        }
        SeedingStatus seeding = status.seeding();
        if (!seeding.predecessor().isEmpty()) {
            json.putObject("following")
                    .put("predecessor", seeding.predecessor())
                    .put("recordsLeft", seeding.records() - seeding.recordsRead())
                    .put("handedOver", !seeding.isFollowing())
                    .put("coordinatorsLeft", seeding.coordinatorsLeft());
        } else if (!seeding.isDone()) {
            json.putObject("seeding")
                    .put("topic", seeding.topic())
                    .put("recordsRead", seeding.recordsRead())
                    .put("records", seeding.records())
                    .put("coordinatorsLeft", seeding.coordinatorsLeft());
        }
        MigrationSourceStatus handingOver = status.handingOver();
        if (!handingOver.isNone()) {
            json.putObject("handingOver")
                    .put("successor", handingOver.successor())
                    .put("stage", handingOver.stage().name().toLowerCase(Locale.ROOT))
                    .put("coordinators", handingOver.coordinators())
                    .put("coordinatorsToFix", handingOver.coordinatorsToFix())
                    .put("coordinatorsLeft", handingOver.coordinatorsLeft());
        }
        return json;
    }

    private abstract class Answer extends Handler.Abstract.NonBlocking {
        abstract boolean isWell(ServiceStatus now);

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            ServiceStatus now = status.get();
            int code = isWell(now) ? HttpStatus.OK_200 : HttpStatus.SERVICE_UNAVAILABLE_503;
            return HttpReply.json(response, callback, code, json(now));
        }
    }
}
