package dev.outpost.backend.store.usage;

import dev.outpost.backend.store.sql.Sql;
import java.util.List;

/** The counters of quotas as the rows of the machines give them. */
public final class QuotaRecount {
    private QuotaRecount() {}

    /** Computes the counters from the rows of the machines. */
    public static List<QuotaRows.Counter> of(Sql sql) {
        return sql.query(
                "SELECT organisation, p.project, r.resource, g.gpu,"
                        + " sum(CASE r.resource WHEN 'GPUS' THEN gpus * members ELSE members END) AS used"
                        + " FROM machines m"
                        + " CROSS JOIN LATERAL (VALUES (''), (m.project)) AS p (project)"
                        + " CROSS JOIN LATERAL (VALUES (''), (coalesce(m.kind, m.gpu))) AS g (gpu)"
                        + " CROSS JOIN (VALUES ('GPUS'), ('MACHINES')) AS r (resource)"
                        + " WHERE phase NOT IN ('QUOTA', 'ENDED')"
                        + " GROUP BY organisation, p.project, r.resource, g.gpu ORDER BY 1, 2, 3, 4",
                QuotaRows.Counter.class);
    }
}
