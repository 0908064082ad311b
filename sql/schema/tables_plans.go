package schema

// Plan is a plan that Cursor's agent keeps as a file.
type Plan struct {
	SourceID           string  `col:"source_id,key,id" doc:"Source of app plans: the folder that it is in."`
	PlanID             string  `col:"plan_id,key" doc:"Name of the file, without .plan.md. Conversations name it by its path (conversations.plan_paths)."`
	ReadAs             string  `col:"read_as,scope" doc:"Name under which loads know it: (plans/FILE)."`
	Name               *string `col:"name" doc:"Name of the plan, in its head."`
	Overview           *string `col:"overview" doc:"Overview, in its head."`
	Body               *string `col:"body" doc:"The plan itself: Markdown."`
	IsProject          *bool   `col:"is_project" doc:"isProject in its head."`
	Path               string  `col:"path" doc:"Path of the file, below the source's user_dir."`
	TodoCount          int64   `col:"todo_count" doc:"Tasks in its head (table plan_todos)."`
	CompletedTodoCount int64   `col:"completed_todo_count" doc:"Those of them whose status is completed."`
	UpdatedAt          *Millis `col:"updated_at" doc:"When the file was written last, by its time."`
	DeletedAt          *Millis `col:"deleted_at" doc:"Start of the load that found it gone."`
}

// PlanTodo is a task of a plan.
type PlanTodo struct {
	SourceID  string  `col:"source_id,key,id" doc:"Source of app plans."`
	PlanID    string  `col:"plan_id,key" doc:"Plan that it is a task of."`
	Ordinal   int64   `col:"ordinal,key" doc:"Place in the plan's list, from 0."`
	ReadAs    string  `col:"read_as,scope" doc:"Name under which loads know the plan: (plans/FILE)."`
	TodoID    *string `col:"todo_id" doc:"Id of the task."`
	Content   *string `col:"content" doc:"What is to be done."`
	Status    *string `col:"status,word" doc:"Status as written: pending, in_progress, completed, cancelled."`
	DeletedAt *Millis `col:"deleted_at" doc:"Start of the load that found it gone."`
}
