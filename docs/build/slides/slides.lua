-- slides.lua - the pandoc filter that takes from a lesson's page what belongs on slides: its questions, the prediction without its answer, each
-- section's figures and code under the sentence with which it begins, or its first paragraph with the list or table that this leads to, what limits
-- it, and the key points. LESSON is the lesson's folder. Reports, hints, answers and the task stay on the page.

local lesson = os.getenv("LESSON")
local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
local source = dofile(pandoc.path.join({ here, "..", "source.lua" }))
local report = dofile(pandoc.path.join({ here, "..", "report.lua" }))
local LEFT_OUT = { ["You will be able to"] = true, ["Your turn"] = true, Hints = true, ["Check yourself"] = true, ["Further reading"] = true }
-- What fits on a slide, in rows of so many columns, below a sentence of three lines: in large letters, or else in small ones. The page has the rest.
local LARGE = { rows = 12, columns = 60 }
local SMALL = { rows = 20, columns = 82 }
local FULL_SENTENCE = 5 -- words: "The tool says:" has fewer

local function fail(...)
    io.stderr:write("lessons/" .. lesson .. "/lesson.md: " .. string.format(...) .. "\n")
    os.exit(1)
end

-- The image that stands alone, or nil: pandoc 3 reads it as a figure with the image in it, pandoc 2 as a paragraph.
local function image_of(block)
    if block.t == "Figure" and #block.content == 1 then block = block.content[1] end
    if (block.t == "Para" or block.t == "Plain") and #block.content == 1 and block.content[1].t == "Image" then return block.content[1] end
end

-- The figure's file within the page. It stays an image: pandoc 3 would write an SVG file's own elements into the deck, where its styles and names
-- meet those of the other figures.
local function data_address(path)
    local svg = table.concat(report.read_lines(path) or fail("cannot read %s", path), "\n")
    return "data:image/svg+xml;charset=utf-8," .. svg:gsub("[^%w%-._~]", function(byte) return string.format("%%%02X", byte:byte()) end)
end

local function figure_of(image)
    image.src = data_address("lessons/" .. lesson .. "/" .. image.src)
    return pandoc.Para({ image })
end

-- A paragraph up to the end of its first sentence.
local function first_sentence(paragraph)
    local kept = pandoc.List()
    for i, inline in ipairs(paragraph.content) do
        kept:insert(inline)
        local after = paragraph.content[i + 1]
        if inline.t == "Str" and inline.text:match("[.?!][”)]?$") and (not after or after.t == "Space" or after.t == "SoftBreak") then break end
    end
    return pandoc.Para(kept)
end

local function leads_on(paragraph)
    local last = paragraph.content[#paragraph.content]
    return last ~= nil and last.t == "Str" and last.text:match(":$") ~= nil
end

-- The paragraph, where what it leads to stays on the page: its last sentence ends as others do, or is gone where it says no more than that
-- something comes.
local function without_colon(paragraph)
    local kept, begins = pandoc.List(paragraph.content), 1
    for i = 2, #kept - 1 do
        if kept[i - 1].t == "Str" and kept[i - 1].text:match("[.?!][”)]?$") then begins = i end
    end
    local words = kept:filter(function(inline) return inline.t ~= "Space" and inline.t ~= "SoftBreak" end)
    local before = pandoc.List({ table.unpack(kept, 1, begins - 1) }):filter(function(inline) return inline.t ~= "Space" and inline.t ~= "SoftBreak" end)
    if begins > 1 and #words - #before < FULL_SENTENCE then return pandoc.Para({ table.unpack(kept, 1, begins - 1) }) end
    kept[#kept] = pandoc.Str((kept[#kept].text:gsub(":$", ".")))
    return pandoc.Para(kept)
end

-- A paragraph as it stands on a slide, with the block behind it where it leads to a list or a table.
local function paragraph_slide(heading, paragraph, following)
    local slide = pandoc.List({ pandoc.Header(2, heading) })
    if not leads_on(paragraph) then
        slide:insert(paragraph)
    elseif following and (following.t == "BulletList" or following.t == "OrderedList" or following.t == "Table") then
        slide:extend({ paragraph, following })
    else
        slide:insert(without_colon(paragraph))
    end
    return slide
end

local function code_of(block)
    local path = block.attributes.include
    if not path then return block.text end
    return source.region(report.read_lines(path) or fail("cannot read %s", path), block.attributes.region) or fail("%s has no region", path)
end

-- The lines of a text that fit: all of them, or as many as leave a row for what says that there are more.
local function fitting(text, size)
    local lines, rows, fits = {}, 0, nil
    for line in (text .. "\n"):gmatch("([^\n]*)\n") do
        lines[#lines + 1], rows = line, rows + math.max(1, math.ceil(#line / size.columns))
        if rows <= size.rows - 1 then fits = #lines end
    end
    if rows <= size.rows then return text, true end
    return table.concat(lines, "\n", 1, fits) .. "\n// ...", false
end

local function code_block(text)
    local large, whole = fitting(text, LARGE)
    if whole then return pandoc.CodeBlock(large, pandoc.Attr("", { "cpp" })) end
    return pandoc.Div({ pandoc.CodeBlock((fitting(text, SMALL)), pandoc.Attr("", { "cpp" })) }, pandoc.Attr("", { "small" }))
end

local function is_code(block)
    return block.t == "CodeBlock" and not (block.classes:includes("report") or block.classes:includes("gpu-table") or block.classes:includes("cost-table"))
end

-- The sentence and the figure on one slide, each piece of code on one of its own. A section without either has its first paragraph.
local function section_slides(slides, heading, blocks)
    local begun, sentence, paragraph, following = false, nil, nil, nil
    local function slide(...)
        slides:insert(pandoc.Header(2, heading))
        if sentence and not begun then slides:insert(sentence) end
        slides:extend({ ... })
        begun = true
    end
    for i, block in ipairs(blocks) do
        local image = image_of(block)
        if block.t == "Para" and not image then
            if not paragraph then paragraph, following = block, blocks[i + 1] end
            sentence = sentence or first_sentence(block)
        elseif image then
            slide(figure_of(image))
        elseif is_code(block) then
            slide(code_block(code_of(block)))
        end
    end
    if not begun and paragraph then slides:extend(paragraph_slide(heading, paragraph, following)) end
end

-- Of the section on measurements "**What limits it: latency.** ...", and its figures.
local function measured_slides(slides, heading, blocks)
    local limit
    for i, block in ipairs(blocks) do
        local image = image_of(block)
        if image then
            slides:extend({ pandoc.Header(2, heading), figure_of(image) })
        elseif not limit and block.t == "Para" and block.content[1].t == "Strong" then
            limit = block
            slides:extend(paragraph_slide("What limits it", limit, blocks[i + 1]))
        end
    end
end

local function without_folds(blocks)
    return pandoc.List(blocks):filter(function(block) return block.t ~= "Div" end)
end

local function add_section(slides, heading, blocks)
    if LEFT_OUT[heading] then return end
    if heading == "On the GPU" then return measured_slides(slides, heading, blocks) end
    if heading == "Questions" or heading == "Predict" or heading == "Key points" then
        slides:insert(pandoc.Header(2, heading))
        slides:extend(without_folds(blocks))
    else
        section_slides(slides, heading, blocks)
    end
end

function Pandoc(document)
    local slides, heading, blocks = pandoc.List(), nil, {}
    for _, block in ipairs(document.blocks) do
        if block.t == "Header" and block.level == 1 then
            slides:insert(pandoc.Header(1, { pandoc.Str(lesson:sub(1, 2) .. " " .. pandoc.utils.stringify(block)) }))
        elseif block.t == "Header" and block.level == 2 then
            if heading then add_section(slides, heading, blocks) end
            heading, blocks = pandoc.utils.stringify(block), {}
        else
            blocks[#blocks + 1] = block
        end
    end
    if heading then add_section(slides, heading, blocks) end
    return pandoc.Pandoc(slides)
end
