-- Without a change of conversations nothing is looked at: another gap rebuilds every group, and the load says so.
INSERT INTO _changed_groups VALUES ('s1', 'file:///p');
