-- The first and the last day with activity, and the messages; without_day of them carry no time at all. And the first day of which Cursor's count is known.
SELECT max(day) FILTER (WHERE day <= current_date /* the last day */) AS last_day,
       min(day) FILTER (WHERE messages > 0) AS first_day, coalesce(sum(messages), 0) AS messages, coalesce(sum(messages) FILTER (WHERE day IS NULL), 0) AS without_day,
       (SELECT min(day) FROM report.billed WHERE events > 0) AS first_event
FROM report.activity
WHERE true /* the projects */;
